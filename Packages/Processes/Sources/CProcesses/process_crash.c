#define _GNU_SOURCE

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "crash_reports.h"
#include "processes.h"
#include "system.h"
#include "crash_lines.h"

static volatile process_crash_t *note;
static int note_file = -1;
static int statistics = -1;

static void describe(void *context) {
    // The private writable memory.
    note->memory = crash_memory(statistics, 5);
    note->thread = (int32_t)gettid();
    crash_reports_write_frames(note_file, context);
}

static void crashed(int number, siginfo_t *info, void *context) {
    (void)info;
    if (note && note->signal == 0) {
        // Set before the rest: if the handler itself faults, the process must end.
        note->signal = number;
        describe(context);
    }
    // The handler was removed when it was called, so this ends the process by the signal.
    raise(number);
}

// Before the host kills a hung process, it sends this signal to all threads except the initial one, which waits in dispatch_main(). Only
// the thread that runs the main queue writes its stack.
static void on_stack_request(int number, siginfo_t *info, void *context) {
    (void)info;
    static atomic_flag has_answered = ATOMIC_FLAG_INIT;
    int error = errno;
    if (note->signal == 0 && csystem_may_run_main_queue() && !atomic_flag_test_and_set(&has_answered)) {
        describe(context);
        // Set last: the host reads the note as soon as this is not zero.
        note->signal = number;
    }
    errno = error;
}

int process_crash_install(int file) {
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGXCPU, SIGXFSZ};
    void *memory = mmap(NULL, sizeof *note, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) return -1;
    note = memory;
    note_file = file;
    if (lseek(file, sizeof *note, SEEK_SET) < 0) return -1;
    statistics = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    struct sigaction action = {.sa_sigaction = crashed, .sa_flags = SA_ONSTACK | SA_SIGINFO | (int)SA_RESETHAND};
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
        if (sigaction(numbers[index], &action, NULL) != 0) return -1;
    }
    csystem_stack_prepare();
    struct sigaction request = {.sa_sigaction = on_stack_request, .sa_flags = SA_ONSTACK | SA_SIGINFO | SA_RESTART};
    return sigaction(PROCESS_STACK_SIGNAL, &request, NULL);
}
