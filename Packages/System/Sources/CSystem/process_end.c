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

static struct {
    int status, file;
    const char *text, *owner_mark, *call_mark, *nobody;
} guard;
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

// Flushes C streams and ends the process, which also ends when flushing takes too long.
_Noreturn static void flush_and_end(int status, unsigned seconds) {
    last_status = status;
    is_ending = true;
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = end_late;
    sigaction(SIGALRM, &action, NULL);
    sigset_t alarms;
    sigemptyset(&alarms);
    sigaddset(&alarms, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &alarms, NULL);
    alarm(seconds);
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
    flush_and_end(status, seconds);
}

static void write_all(int file, const char *text, size_t size) {
    while (size > 0) {
        ssize_t count = write(file, text, size);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        text += count;
        size -= (size_t)count;
    }
}

// Writes a text with its placeholders replaced.
static void write_filled(int file, const char *text, const char *owner, const char *call) {
    while (*text) {
        const char *owner_mark = strstr(text, guard.owner_mark), *call_mark = strstr(text, guard.call_mark);
        bool is_owner = owner_mark && (!call_mark || owner_mark < call_mark);
        const char *next = is_owner ? owner_mark : call_mark;
        write_all(file, text, next ? (size_t)(next - text) : strlen(text));
        if (!next) return;
        const char *value = is_owner ? owner : call;
        write_all(file, value, strlen(value));
        text = next + strlen(is_owner ? guard.owner_mark : guard.call_mark);
    }
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
    const char *owner = place.owner ? place.owner : guard.nobody;
    write_filled(guard.file, guard.text, owner, call);
    flush_and_end(guard.status, GRACE);
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

void process_end_guard(
    int status, int file, const char *text, const char *owner_mark, const char *call_mark, const char *nobody) {
    find_system_calls();
    guard.status = status;
    guard.file = file;
    guard.text = strdup(text);
    guard.owner_mark = strdup(owner_mark);
    guard.call_mark = strdup(call_mark);
    guard.nobody = strdup(nobody);
    if (guard.text && guard.owner_mark && guard.call_mark && guard.nobody) guarded = getpid();
}

#define EXPORTED __attribute__((visibility("default")))
#define CALLER ((uintptr_t)__builtin_return_address(0) - 1)

EXPORTED _Noreturn void exit(int status) {
    refuse_bundle(CALLER, "exit");
    find_system_calls();
    system_calls.exit(status);
    end_at_once(status);
}

EXPORTED _Noreturn void quick_exit(int status) {
    refuse_bundle(CALLER, "quick_exit");
    find_system_calls();
    system_calls.quick_exit(status);
    end_at_once(status);
}

EXPORTED _Noreturn void _exit(int status) {
    refuse_bundle(CALLER, "_exit");
    end_at_once(status);
}

EXPORTED _Noreturn void _Exit(int status) {
    refuse_bundle(CALLER, "_Exit");
    end_at_once(status);
}

EXPORTED int execve(const char *path, char *const arguments[], char *const environment[]) {
    refuse_bundle(CALLER, "execve");
    return (int)syscall(SYS_execve, path, arguments, environment);
}

EXPORTED int execv(const char *path, char *const arguments[]) {
    refuse_bundle(CALLER, "execv");
    return (int)syscall(SYS_execve, path, arguments, environ);
}

EXPORTED int fexecve(int file, char *const arguments[], char *const environment[]) {
    refuse_bundle(CALLER, "fexecve");
    return (int)syscall(SYS_execveat, file, "", arguments, environment, 0x1000 /* AT_EMPTY_PATH */);
}

EXPORTED int execvpe(const char *name, char *const arguments[], char *const environment[]) {
    refuse_bundle(CALLER, "execvpe");
    find_system_calls();
    return system_calls.execvpe(name, arguments, environment);
}

EXPORTED int execvp(const char *name, char *const arguments[]) {
    refuse_bundle(CALLER, "execvp");
    find_system_calls();
    return system_calls.execvpe(name, arguments, environ);
}

// Collects the variadic arguments up to NULL into `arguments`, and leaves `list` behind the NULL.
#define GATHER(first, list)                                                  \
    size_t count = 1;                                                        \
    va_list counted;                                                         \
    va_start(counted, first);                                                \
    while (va_arg(counted, char *)) count++;                                 \
    va_end(counted);                                                         \
    char *arguments[count + 1];                                              \
    va_start(list, first);                                                   \
    arguments[0] = (char *)first;                                            \
    for (size_t i = 1; i <= count; i++) arguments[i] = va_arg(list, char *);

EXPORTED int execl(const char *path, const char *first, ...) {
    refuse_bundle(CALLER, "execl");
    va_list list;
    GATHER(first, list)
    va_end(list);
    return (int)syscall(SYS_execve, path, arguments, environ);
}

EXPORTED int execle(const char *path, const char *first, ...) {
    refuse_bundle(CALLER, "execle");
    va_list list;
    GATHER(first, list)
    char *const *environment = va_arg(list, char *const *);
    va_end(list);
    return (int)syscall(SYS_execve, path, arguments, environment);
}

EXPORTED int execlp(const char *name, const char *first, ...) {
    refuse_bundle(CALLER, "execlp");
    va_list list;
    GATHER(first, list)
    va_end(list);
    find_system_calls();
    return system_calls.execvpe(name, arguments, environ);
}

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
