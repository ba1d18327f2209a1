#define _GNU_SOURCE
#include "code_owners.h"
#include "crash_notes.h"
#include "process_end.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

// The time limit for flushing C streams after a bundle has ended the process, in seconds.
enum { GRACE = 2 };

static int guard_status;
static void (*report_end)(const char *owner, const char *call);
// The guarded process, or 0.
static _Atomic pid_t guarded;
// The ender that has claimed the end of the process, or 0.
static _Atomic int last_ender;
static _Atomic int last_status;
// True while this thread ends the process; flushing may still call code of a bundle that has created a stream.
static _Thread_local bool is_ending;

_Noreturn static void end_at_once(int status) {
    for (;;) syscall(SYS_exit_group, status);
}

static void end_late(int number) {
    (void)number;
    end_at_once(last_status);
}

// Flushes C streams and ends the process, which also ends when that, or the report about a bundle, takes too long.
_Noreturn static void flush_and_end(int status, unsigned seconds, const char *owner, const char *call) {
    last_status = status;
    is_ending = true;
    struct sigaction action = {.sa_handler = end_late};
    sigaction(SIGALRM, &action, NULL);
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
    alarm(seconds);
    if (call) report_end(owner, call);
    fflush(NULL);
    end_at_once(status);
}

void process_end_claim(enum process_ender ender) {
    int nobody = 0;
    if (guarded != getpid() || atomic_compare_exchange_strong(&last_ender, &nobody, (int)ender)) return;
    // Two bundles that end the process are different enders.
    if (nobody == (int)ender && ender != process_ender_bundle) return;
    for (;;) pause();
}

void process_end_now(enum process_ender ender, int status, unsigned seconds) {
    process_end_claim(ender);
    flush_and_end(status, seconds, NULL, NULL);
}

// Ends the process when code of a bundle has called `call`; returns when the caller is allowed to.
static void refuse_bundle(uintptr_t caller, const char *call) {
    if (guarded != getpid() || !code_owners_any()) return;
    struct code_place place = code_owners_at(caller);
    if (place.is_program) return;
    if (!place.owner) place = code_owners_calling();
    if (place.is_program) return;
    if (is_ending) end_at_once(last_status);
    process_end_claim(process_ender_bundle);
    crash_notes_exit();
    flush_and_end(guard_status, GRACE, place.owner, call);
}

// The C library's own functions, looked up early because a child of vfork() must not do it.
static struct {
    void (*exit)(int);
    void (*quick_exit)(int);
    int (*execvpe)(const char *, char *const *, char *const *);
} system_calls;

static void find_system_calls(void) {
    if (system_calls.exit) return;
    system_calls.quick_exit = dlsym(RTLD_NEXT, "quick_exit");
    system_calls.execvpe = dlsym(RTLD_NEXT, "execvpe");
    system_calls.exit = dlsym(RTLD_NEXT, "exit");
}

static int execve_now(const char *path, char *const arguments[], char *const environment[]) {
    return (int)syscall(SYS_execve, path, arguments, environment);
}

static int execvpe_now(const char *name, char *const arguments[], char *const environment[]) {
    find_system_calls();
    return system_calls.execvpe(name, arguments, environment);
}

void process_end_guard(int status, void (*report)(const char *owner, const char *call)) {
    find_system_calls();
    guard_status = status;
    report_end = report;
    guarded = getpid();
}

#define EXPORTED __attribute__((visibility("default")))
#define CALLER ((uintptr_t)__builtin_return_address(0) - 1)

// Defines a function that code of a bundle may not call.
#define GUARDED(RESULT, NAME, PARAMETERS, ...) \
    EXPORTED RESULT NAME PARAMETERS {          \
        refuse_bundle(CALLER, #NAME);          \
        __VA_ARGS__;                           \
    }

GUARDED(_Noreturn void, exit, (int status), find_system_calls(); system_calls.exit(status); end_at_once(status))
GUARDED(
    _Noreturn void, quick_exit, (int status), find_system_calls(); system_calls.quick_exit(status); end_at_once(status))
GUARDED(_Noreturn void, _exit, (int status), end_at_once(status))
GUARDED(_Noreturn void, _Exit, (int status), end_at_once(status))

GUARDED(
    int, execve, (const char *path, char *const arguments[], char *const environment[]),
    return execve_now(path, arguments, environment))
GUARDED(int, execv, (const char *path, char *const arguments[]), return execve_now(path, arguments, environ))
GUARDED(
    int, fexecve, (int file, char *const arguments[], char *const environment[]),
    return (int)syscall(SYS_execveat, file, "", arguments, environment, 0x1000 /* AT_EMPTY_PATH */))
GUARDED(
    int, execvpe, (const char *name, char *const arguments[], char *const environment[]),
    return execvpe_now(name, arguments, environment))
GUARDED(int, execvp, (const char *name, char *const arguments[]), return execvpe_now(name, arguments, environ))

// Defines a function with variadic arguments up to NULL. `END` may take what follows the NULL from `list`.
#define VARIADIC(NAME, END, CALL)                                                \
    EXPORTED int NAME(const char *file, const char *first, ...) {                \
        refuse_bundle(CALLER, #NAME);                                            \
        size_t count = 1;                                                        \
        va_list list;                                                            \
        va_start(list, first);                                                   \
        while (va_arg(list, char *)) count++;                                    \
        va_end(list);                                                            \
        char *arguments[count + 1];                                              \
        va_start(list, first);                                                   \
        arguments[0] = (char *)first;                                            \
        for (size_t i = 1; i <= count; i++) arguments[i] = va_arg(list, char *); \
        END;                                                                     \
        va_end(list);                                                            \
        return CALL;                                                             \
    }

VARIADIC(execl, , execve_now(file, arguments, environ))
VARIADIC(execle, char **environment = va_arg(list, char **), execve_now(file, arguments, environment))
VARIADIC(execlp, , execvpe_now(file, arguments, environ))

// The standard output.

static void (*taker)(const char *bytes, size_t count, const char *owner);
static FILE *_Atomic stream;
// True while this thread flushes text that another thread has written.
static _Thread_local bool is_flushing;

static ssize_t take(void *cookie, const char *bytes, size_t count) {
    (void)cookie;
    if (count == 0) return 0;
    int error = errno;
    struct code_place place = code_owners_calling();
    bool is_known = place.owner || (place.is_program && !is_flushing);
    taker(bytes, count, is_known ? place.owner : code_owners_only());
    errno = error;
    return (ssize_t)count;
}

// A bundle may close its standard output, as any program may.
static int forget(void *cookie) {
    (void)cookie;
    stream = NULL;
    return 0;
}

bool plugin_output_take(void (*new_taker)(const char *bytes, size_t count, const char *owner)) {
    taker = new_taker;
    if (stream) return true;
    cookie_io_functions_t functions = {.write = take, .close = forget};
    FILE *new = fopencookie(NULL, "w", functions);
    if (!new || setvbuf(new, NULL, _IOLBF, BUFSIZ) != 0) return false;
    fflush(stdout);
    stream = new;
    stdout = new;
    return true;
}

void plugin_output_flush(void) {
    FILE *own = stream;
    if (!own || ftrylockfile(own) != 0) return;
    is_flushing = true;
    fflush(own);
    is_flushing = false;
    funlockfile(own);
}

void plugin_output_unbuffer(void) { setvbuf(stdout, NULL, _IONBF, 0); }
