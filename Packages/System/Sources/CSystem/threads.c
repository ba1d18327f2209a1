#define _GNU_SOURCE
#include "system.h"

#include <dirent.h>
#include <errno.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { FRAMES = 128, NOBODY = -1 };

// The thread that is asked for its stack; 0 is the thread of the main queue.
static _Atomic long asked = NOBODY;
// The number of frames in the answer; -1 until the thread has answered.
static _Atomic int answer = -1;
static void *frames[FRAMES];
static struct sigaction before;

// The label of the queue whose work the current thread runs, read from the thread's own memory.
extern const char *dispatch_queue_get_label(void *queue) __attribute__((weak));

bool csystem_may_run_main_queue(void) {
    const char *label = dispatch_queue_get_label ? dispatch_queue_get_label(NULL) : NULL;
    return label && strcmp(label, "com.apple.main-thread") == 0;
}

static void on_question(int number, siginfo_t *info, void *context) {
    int error = errno;
    long thread = asked;
    if (info->si_code != SI_TKILL) {
        // The signal comes from a profiler.
        if (before.sa_flags & SA_SIGINFO) {
            before.sa_sigaction(number, info, context);
        } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
            before.sa_handler(number);
        }
    } else if (thread == 0 ? csystem_may_run_main_queue() : thread == gettid()) {
        // Only one thread may answer.
        if (atomic_compare_exchange_strong(&asked, &thread, NOBODY)) answer = backtrace(frames, FRAMES);
    }
    errno = error;
}

// Asks all threads but the initial one and this one.
static void ask_all(void) {
    DIR *folder = opendir("/proc/self/task");
    if (!folder) return;
    struct dirent *entry;
    while ((entry = readdir(folder))) {
        long thread = atol(entry->d_name);
        if (thread > 0 && thread != getpid() && thread != gettid()) syscall(SYS_tgkill, getpid(), thread, SIGPROF);
    }
    closedir(folder);
}

void csystem_stack_prepare(void) {
    void *frame;
    backtrace(&frame, 1);
}

static bool take_question(void) {
    static bool is_taken;
    if (is_taken) return true;
    struct sigaction action = {.sa_sigaction = on_question, .sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK};
    // The handler stays installed: by default the signal ends the process, and a thread may receive it late.
    is_taken = sigaction(SIGPROF, &action, &before) == 0;
    return is_taken;
}

static void wait_for_answer(int milliseconds) {
    struct timespec moment = {0, 5 * 1000 * 1000};
    for (int i = 0; i < milliseconds / 5 && answer < 0; i++) nanosleep(&moment, NULL);
}

int csystem_stack(long thread, uintptr_t *addresses, int limit) {
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&turn);
    int count = 0;
    if (take_question()) {
        answer = -1;
        asked = thread;
        if (thread == 0) {
            // The initial thread is asked last: libdispatch leaves it the main queue's label even while another thread runs that queue.
            ask_all();
            wait_for_answer(100);
            thread = getpid();
        }
        if (answer < 0) syscall(SYS_tgkill, getpid(), thread, SIGPROF);
        wait_for_answer(1000);
        asked = NOBODY;
        // The first two frames are the handler and the return from it.
        for (int i = 2; i < answer && count < limit; i++) addresses[count++] = (uintptr_t)frames[i];
    }
    pthread_mutex_unlock(&turn);
    return count;
}
