#define _GNU_SOURCE
#include "process_crash.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <unistd.h>

#include "crash_notes.h"
#include "system.h"

int csystem_crash_create(void) {
    int file = csystem_memory_file("crash");
    if (file < 0) return -1;
    // A file that could grow would be memory of the process without a limit.
    if (ftruncate(file, sizeof(csystem_crash_t)) == 0 && csystem_seal(file, false) == 0) return file;
    int number = errno;
    close(file);
    errno = number;
    return -1;
}

int csystem_crash_read(int file, csystem_crash_t *crash) {
    return pread(file, crash, sizeof *crash, 0) == (ssize_t)sizeof *crash ? 0 : -1;
}

static volatile csystem_crash_t *note;
static int statistics = -1;
static long page_size;

// Returns the private writable memory in bytes: the sixth number of /proc/self/statm, in pages.
static uint64_t used_memory(void) {
    char text[256];
    ssize_t count = pread(statistics, text, sizeof text, 0);
    int field = 0;
    uint64_t number = 0;
    for (ssize_t index = 0; index < count && field < 6; index++) {
        if (text[index] >= '0' && text[index] <= '9') {
            if (field == 5) number = number * 10 + (uint64_t)(text[index] - '0');
        } else {
            field++;
        }
    }
    return number * (uint64_t)page_size;
}

static void crashed(int number) {
    if (note && note->signal == 0) {
        // Set before the rest: if the handler itself faults, the process must end.
        note->signal = number;
        note->memory = used_memory();
        note->thread = (int32_t)csystem_thread();
    }
    // The handler was removed when it was called, so this ends the process by the signal.
    raise(number);
}

int csystem_crash_install(int file) {
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS, SIGXCPU, SIGXFSZ};
    void *memory = mmap(NULL, sizeof *note, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (memory == MAP_FAILED) return -1;
    note = memory;
    page_size = sysconf(_SC_PAGESIZE);
    statistics = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    // An overflow of the main thread's stack leaves no room for the handler there.
    static char room[16 << 10];
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    if (sigaltstack(&stack, NULL) != 0) return -1;
    struct sigaction action = {.sa_handler = crashed, .sa_flags = SA_ONSTACK | (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    for (size_t index = 0; index < sizeof numbers / sizeof *numbers; index++) {
        if (sigaction(numbers[index], &action, NULL) != 0) return -1;
    }
    return 0;
}
