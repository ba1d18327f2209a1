#define _GNU_SOURCE
#include "crash_notes.h"
#include "code_owners.h"
#include "crash_reports.h"

#include <stdint.h>

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

// All code that runs in a signal handler is async-signal-safe: atomics, system calls, and _dl_find_object, which documents it.

enum { SLOTS = 256, NAME = 512, FREE = -1, SCAN = 4096 };
enum { PIECE = 1024 * 1024, MUCH = 64 * 1024 * 1024 };

struct slot {
    _Atomic int file;
    _Atomic long thread;
    _Atomic bool is_held;
    _Atomic uint64_t order;
    _Atomic bool is_named;
    char image[NAME];
};

static struct slot slots[SLOTS] = {[0 ... SLOTS - 1] = {.file = FREE}};
// Guards opening and closing; never locked by a handler.
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int open_count;
// The address space of the process when the first file was opened, in bytes.
static size_t memory_before;
static uint64_t last_order;
static _Atomic pid_t owner;
// The number of running handlers.
static _Atomic int writing;

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS};
enum { SIGNALS = sizeof signals / sizeof *signals };
static struct sigaction before[SIGNALS];
// The signals that ask a program to end.
static const int endings[] = {SIGTERM, SIGINT, SIGHUP};
enum { ENDINGS = sizeof endings / sizeof *endings };
static struct sigaction before_ending[ENDINGS];
// True after another handler was installed over ours, which may pass signals on to ours.
static bool is_behind[ENDINGS];
// The thread that has recorded each signal since the handlers were installed.
static _Atomic long noted[SIGNALS];

static int index_of(int number) {
    for (int i = 0; i < SIGNALS; i++)
        if (signals[i] == number) return i;
    return 0;
}

// Returns the loader's name of the library at an address, or NULL.
static const char *image_with(uintptr_t address) {
    const struct link_map *map = code_owners_image(address);
    return map && map->l_name && *map->l_name ? map->l_name : NULL;
}

static bool is_about(int slot, const char *image) {
    return slots[slot].file != FREE && slots[slot].is_named && strncmp(slots[slot].image, image, NAME) == 0;
}

// Returns the newest slot whose image contains an address, or -1.
static int slot_with(uintptr_t address) {
    const char *image = image_with(address);
    if (!image) return -1;
    int latest = -1;
    for (int i = 0; i < SLOTS; i++) {
        if (!is_about(i, image)) continue;
        if (latest < 0 || slots[i].order > slots[latest].order) latest = i;
    }
    return latest;
}

// Returns the newest slot of a thread, or -1.
static int slot_of(long thread, bool is_held) {
    int latest = -1;
    for (int i = 0; i < SLOTS; i++) {
        if (slots[i].file == FREE || slots[i].thread != thread || slots[i].is_held != is_held) continue;
        if (latest < 0 || slots[i].order > slots[latest].order) latest = i;
    }
    return latest;
}

static bool find_slot(uintptr_t address, void *slot) {
    *(int *)slot = slot_with(address);
    return *(int *)slot < 0;
}

// Walks the frames outward from the crashed instruction, and returns the first slot found, or -1.
static int slot_at_work(struct stack_registers at) {
    int slot = slot_with(at.code);
    if (slot < 0) slot = slot_with(at.caller);
    if (slot < 0) stack_each_return(at, find_slot, &slot);
    return slot;
}

// Searches the stack for return addresses, because code compiled without frame pointers hides its callers.
static int slot_on_stack(struct stack_registers at) {
    uintptr_t words[64];
    uintptr_t end = at.stack + SCAN;
    for (uintptr_t place = at.stack & ~(sizeof *words - 1); place < end; place += sizeof words) {
        if (!stack_peek(place, words, sizeof words)) return -1;
        for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
            int slot = slot_with(words[i]);
            if (slot >= 0) return slot;
        }
    }
    return -1;
}

// Writes a line into each file: `what`, the number unless it is 0, and `word` in the file of `slot` or "elsewhere" in all
// others. Writes neither word when `word` is NULL.
static void note(const char *what, int number, int slot, const char *word) {
    for (int i = 0; i < SLOTS; i++) {
        int file = slots[i].file;
        if (file == FREE) continue;
        struct line line;
        line.size = 0;
        line_add(&line, what);
        if (number > 0) line_add_number(&line, (uint64_t)number, 10);
        if (number > 0 && word) line_add(&line, " ");
        if (word) line_add(&line, i == slot ? word : "elsewhere");
        line_write(&line, file);
    }
}

// Returns the address space of the process in bytes, or 0 when it is unknown.
static size_t memory(void) {
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    char text[32];
    ssize_t count = read(file, text, sizeof text);
    close(file);
    return memory_in(text, count, 0);
}

// Returns whether memory is exhausted although the process has grown little since the first file was opened, which points to a
// memory limit rather than a leak in the new code.
static bool is_short_of_memory(void) {
    void *piece = mmap(NULL, PIECE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (piece != MAP_FAILED) {
        munmap(piece, PIECE);
        return false;
    }
    size_t now = memory();
    return now > 0 && memory_before > 0 && now < memory_before + MUCH;
}

static void note_crash(int number, struct stack_registers at) {
    writing++;
    if (is_short_of_memory()) {
        note("shortage", 0, -1, NULL);
        writing--;
        return;
    }
    const char *word = "here";
    int slot = slot_at_work(at);
    if (slot < 0) slot = slot_of(gettid(), true);
    if (slot < 0) {
        word = "near";
        slot = slot_of(gettid(), false);
        if (slot < 0) slot = slot_on_stack(at);
    }
    note("crash ", number, slot, word);
    writing--;
}

void crash_notes_exit(void) {
    if (getpid() != owner) return;
    writing++;
    // The code that called exit() is on the stack of this thread, whichever thread that is.
    int slot = -1;
    code_owners_each_caller(find_slot, &slot);
    if (slot < 0) slot = slot_of(gettid(), true);
    note("exit ", 0, slot, "here");
    writing--;
}

// Passes a signal on to the previous handler, by raising it again.
static void pass_on(int number, siginfo_t *info, const struct sigaction *next) {
    sigaction(number, next, NULL);
    bool is_fault = number == SIGSEGV || number == SIGBUS || number == SIGILL || number == SIGFPE;
    // A signal raised by the processor occurs again when the handler returns to the instruction.
    if (is_fault && info->si_code > 0) return;
    pid_t process = getpid();
    long thread = gettid();
    if (syscall(SYS_rt_tgsigqueueinfo, process, thread, number, info) != 0) syscall(SYS_tgkill, process, thread, number);
}

static void on_signal(int number, siginfo_t *info, void *context) {
    int error = errno;
    int index = index_of(number);
    struct sigaction next = before[index];
    bool is_ignored = next.sa_handler == SIG_IGN && info->si_code <= 0;
    if (is_ignored) {
        errno = error;
        return;
    }
    if (getpid() == owner) {
        long nobody = 0, thread = gettid();
        if (atomic_compare_exchange_strong(&noted[index], &nobody, thread)) {
            struct stack_registers at = stack_registers_of(context);
            note_crash(number, at);
            crash_reports_write(number, at);
        } else if (nobody == thread) {
            // The previous handler has passed the signal back to us, so nobody else handles it.
            memset(&next, 0, sizeof next);
            next.sa_handler = SIG_DFL;
        } else {
            // Another thread has crashed at the same time: let it finish its record.
            struct timespec moment = {0, 10 * 1000 * 1000};
            for (int i = 0; i < 100 && writing; i++) nanosleep(&moment, NULL);
        }
    }
    pass_on(number, info, &next);
    errno = error;
}

// Returns whether the signal comes from another process or from the kernel, as for the keys of a terminal.
static bool is_from_outside(const siginfo_t *info) {
    return info->si_code > 0 || info->si_pid != getpid();
}

static void on_ending(int number, siginfo_t *info, void *context) {
    int error = errno;
    int index = 0;
    while (index < ENDINGS - 1 && endings[index] != number) index++;
    const struct sigaction *next = &before_ending[index];
    if (getpid() == owner && is_from_outside(info)) {
        writing++;
        note("told ", number, -1, NULL);
        writing--;
    }
    // A handler of the host may keep the process alive, so ours stays installed for the next signal.
    if (next->sa_flags & SA_SIGINFO) {
        next->sa_sigaction(number, info, context);
    } else if (next->sa_handler == SIG_DFL) {
        pass_on(number, info, next);
    } else {
        next->sa_handler(number);
    }
    errno = error;
}

static void install_endings(void) {
    for (int i = 0; i < ENDINGS; i++) {
        struct sigaction action;
        if (sigaction(endings[i], NULL, &action) != 0) continue;
        // Ours is already installed when other code has restored the handlers that it had saved.
        bool is_ours = action.sa_sigaction == on_ending;
        if (is_ours || action.sa_handler == SIG_DFL) is_behind[i] = false;
        // An ignored signal stays ignored, also in child programs. A handler that passes signals on to ours must not get them back.
        if (action.sa_handler == SIG_IGN || is_behind[i]) continue;
        if (!is_ours) before_ending[i] = action;
        // Keep the flags and the mask of the previous handler: the blocked signals, and whether system calls are resumed.
        action.sa_sigaction = on_ending;
        action.sa_flags |= SA_SIGINFO;
        sigaction(endings[i], &action, NULL);
    }
}

static void uninstall_endings(void) {
    for (int i = 0; i < ENDINGS; i++) {
        struct sigaction now;
        if (sigaction(endings[i], NULL, &now) != 0 || now.sa_handler == SIG_IGN) continue;
        if (now.sa_sigaction == on_ending) {
            sigaction(endings[i], &before_ending[i], NULL);
        } else {
            is_behind[i] = now.sa_handler != SIG_DFL;
        }
    }
}

static void install_faults(void) {
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_signal;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++) {
        noted[i] = 0;
        struct sigaction old;
        if (sigaction(signals[i], &action, &old) != 0) continue;
        // Ours is already installed when other code has restored the handlers that it had saved.
        if (!(old.sa_flags & SA_SIGINFO) || old.sa_sigaction != on_signal) before[i] = old;
    }
}

static void uninstall_faults(void) {
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction now;
        // A handler installed over ours stays, and may still pass signals on to ours.
        if (sigaction(signals[i], NULL, &now) != 0 || !(now.sa_flags & SA_SIGINFO)) continue;
        if (now.sa_sigaction == on_signal) sigaction(signals[i], &before[i], NULL);
    }
}

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void prepare(void) {
    atexit(crash_notes_exit);
    at_quick_exit(crash_notes_exit);
}

int crash_notes_open(int file, bool is_held) {
    pthread_once(&once, prepare);
    pthread_mutex_lock(&mutex);
    int slot = 0;
    while (slot < SLOTS && slots[slot].file != FREE) slot++;
    if (slot == SLOTS) {
        pthread_mutex_unlock(&mutex);
        return -1;
    }
    slots[slot].is_named = false;
    slots[slot].thread = gettid();
    slots[slot].is_held = is_held;
    slots[slot].order = ++last_order;
    owner = getpid();
    slots[slot].file = file;
    if (open_count++ == 0) {
        memory_before = memory();
        install_endings();
        install_faults();
    }
    signal_stack_give();
    pthread_mutex_unlock(&mutex);
    return slot;
}

bool crash_notes_report(const char *folder) {
    pthread_once(&once, prepare);
    pthread_mutex_lock(&mutex);
    bool was_on = crash_reports_are_on(), is_on = crash_reports_begin(folder);
    owner = getpid();
    if (is_on && !was_on) install_faults();
    if (is_on) signal_stack_give();
    pthread_mutex_unlock(&mutex);
    return is_on;
}

void crash_notes_name(int slot, const char *image) {
    if (slot < 0 || slot >= SLOTS || strlen(image) >= NAME) return;
    slots[slot].is_named = false;
    strcpy(slots[slot].image, image);
    slots[slot].is_named = true;
}

void crash_notes_give_way(int slot) {
    if (slot >= 0 && slot < SLOTS) slots[slot].thread = 0;
}

bool crash_notes_has(int slot, const void *const *addresses, int count) {
    if (slot < 0 || slot >= SLOTS) return false;
    for (int i = 0; i < count; i++) {
        const char *image = image_with((uintptr_t)addresses[i]);
        if (image && is_about(slot, image)) return true;
    }
    return false;
}

void crash_notes_write(const char *line) {
    writing++;
    for (int i = 0; i < SLOTS; i++) {
        int file = slots[i].file;
        if (file == FREE) continue;
        while (write(file, line, strlen(line)) < 0 && errno == EINTR) continue;
    }
    writing--;
}

bool crash_notes_close(int slot) {
    if (slot < 0 || slot >= SLOTS) return true;
    pthread_mutex_lock(&mutex);
    slots[slot].file = FREE;
    if (--open_count == 0) {
        uninstall_endings();
        if (!crash_reports_are_on()) uninstall_faults();
    }
    pthread_mutex_unlock(&mutex);
    return writing == 0;
}
