#define _GNU_SOURCE
#include "crash_notes.h"
#include "crash_lines.h"
#include "system.h"

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

// All code that runs in a signal handler is async-signal-safe: atomics, system calls, and _dl_find_object, which documents it. The unwinder,
// too, uses nothing else, but a damaged stack may make it fault; then the handler runs again and does without it.

enum { SLOTS = 256, NAME = 512, FREE = -1 };
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
// What else is to be done in a crash, or NULL.
static void (*_Atomic report)(int number, struct interrupted at);
// The number of running handlers.
static _Atomic int writing;
// The thread that reads its stack in a handler, or 0.
static _Atomic long reading;

// A signal that is caught, and its handler before.
struct hook {
    int number;
    struct sigaction before;
    // True after another handler was installed over ours, which may pass signals on to ours.
    bool is_behind;
    // The thread that has recorded the signal since the handler was installed.
    _Atomic long noted;
};

static struct hook faults[] = {{SIGSEGV}, {SIGBUS}, {SIGILL}, {SIGFPE}, {SIGABRT}, {SIGTRAP}, {SIGSYS}};
// The signals that ask a program to end.
static struct hook endings[] = {{SIGTERM}, {SIGINT}, {SIGHUP}};
#define EACH(hook, hooks) (struct hook *hook = hooks; hook < hooks + sizeof hooks / sizeof *hooks; hook++)

static struct hook *hook_of(int number, struct hook *hooks) {
    while (hooks->number != number) hooks++;
    return hooks;
}

// Returns the loader's name of the library at an address, or NULL.
static const char *image_with(uintptr_t address) {
    const struct link_map *map = csystem_image(address);
    return map && map->l_name && *map->l_name ? map->l_name : NULL;
}

static bool is_about(int slot, const char *image) {
    return slots[slot].is_named && strncmp(slots[slot].image, image, NAME) == 0;
}

// Returns the newest slot for an image, or else that of a thread, or -1.
static int newest(const char *image, long thread, bool is_held) {
    int latest = -1;
    for (int i = 0; i < SLOTS; i++) {
        if (slots[i].file == FREE) continue;
        bool is_meant = image ? is_about(i, image) : slots[i].thread == thread && slots[i].is_held == is_held;
        if (is_meant && (latest < 0 || slots[i].order > slots[latest].order)) latest = i;
    }
    return latest;
}

// Returns the newest slot whose image contains an address, or -1.
static int slot_with(uintptr_t address) {
    const char *image = image_with(address);
    return image ? newest(image, 0, false) : -1;
}

// Returns the newest slot of this thread, or -1.
static int slot_here(bool is_held) { return newest(NULL, gettid(), is_held); }

static bool find_slot(uintptr_t address, void *slot) {
    *(int *)slot = slot_with(address);
    return *(int *)slot < 0;
}

// Walks the frames outward from the crashed instruction, and returns the first slot found, or -1.
static int slot_at_work(struct interrupted at) {
    reading = gettid();
    int slot = slot_with(at.code);
    if (slot < 0) slot = slot_with(at.caller);
    if (slot < 0) csystem_each_caller(find_slot, &slot);
    reading = 0;
    return slot;
}

// Writes a line into each file: `what`, the number unless it is 0, and `word` in the file of `slot` or "elsewhere" in all
// others. Writes neither word when `word` is NULL.
static void note(const char *what, int number, int slot, const char *word) {
    for (int i = 0; i < SLOTS; i++) {
        int file = slots[i].file;
        if (file == FREE) continue;
        struct line line = {.file = file};
        line_add(&line, what);
        if (number > 0) line_add_number(&line, (uint64_t)number, 10);
        if (number > 0 && word) line_add(&line, " ");
        if (word) line_add(&line, i == slot ? word : "elsewhere");
        line_write(&line);
    }
}

// Returns the address space of the process in bytes, or 0 when it is unknown.
static size_t memory(void) {
    int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    size_t size = crash_memory(file, 0);
    close(file);
    return size;
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

// Records a crash. `slot` is the one of the code that has crashed, or -1 if it is unknown.
static void note_crash(int number, int slot) {
    if (is_short_of_memory()) return note("shortage", 0, -1, NULL);
    const char *word = "here";
    if (slot < 0) slot = slot_here(true);
    if (slot < 0) {
        word = "near";
        slot = slot_here(false);
    }
    note("crash ", number, slot, word);
}

void crash_notes_exit(void) {
    if (getpid() != owner) return;
    writing++;
    // The code that called exit() is on the stack of this thread, whichever thread that is.
    int slot = -1;
    csystem_each_caller(find_slot, &slot);
    if (slot < 0) slot = slot_here(true);
    note("exit ", 0, slot, "here");
    writing--;
}

void crash_notes_shortage(void) {
    writing++;
    note("shortage", 0, -1, NULL);
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

static void on_fault(int number, siginfo_t *info, void *context) {
    int error = errno;
    struct hook *hook = hook_of(number, faults);
    struct sigaction next = hook->before;
    if (next.sa_handler == SIG_IGN && info->si_code <= 0) return;
    if (getpid() == owner) {
        long nobody = 0, thread = gettid();
        if (atomic_compare_exchange_strong(&hook->noted, &nobody, thread)) {
            struct interrupted at = interrupted_by_signal(context);
            writing++;
            note_crash(number, slot_at_work(at));
            writing--;
            if (report) report(number, at);
        } else if (nobody == thread) {
            // The stack cannot be read, or the previous handler has passed the signal back to us, so nobody else handles it.
            if (reading == thread) note_crash(number, -1);
            next = (struct sigaction){.sa_handler = SIG_DFL};
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
    const struct sigaction *next = &hook_of(number, endings)->before;
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
    for EACH (hook, endings) {
        struct sigaction action;
        if (sigaction(hook->number, NULL, &action) != 0) continue;
        // Ours is already installed when other code has restored the handlers that it had saved.
        bool is_ours = action.sa_sigaction == on_ending;
        if (is_ours || action.sa_handler == SIG_DFL) hook->is_behind = false;
        // An ignored signal stays ignored, also in child programs. A handler that passes signals on to ours must not get them back.
        if (action.sa_handler == SIG_IGN || hook->is_behind) continue;
        if (!is_ours) hook->before = action;
        // Keep the flags and the mask of the previous handler: the blocked signals, and whether system calls are resumed.
        action.sa_sigaction = on_ending;
        action.sa_flags |= SA_SIGINFO;
        sigaction(hook->number, &action, NULL);
    }
}

static void install_faults(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
    for EACH (hook, faults) {
        hook->noted = 0;
        struct sigaction old;
        if (sigaction(hook->number, &action, &old) == 0 && old.sa_sigaction != on_fault) hook->before = old;
    }
}

// Restores the handler before, unless another one was installed over ours.
static void uninstall(struct hook *hook, void (*handler)(int, siginfo_t *, void *)) {
    struct sigaction now;
    if (sigaction(hook->number, NULL, &now) != 0 || now.sa_handler == SIG_IGN) return;
    hook->is_behind = now.sa_sigaction != handler && now.sa_handler != SIG_DFL;
    if (now.sa_sigaction == handler) sigaction(hook->number, &hook->before, NULL);
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

void crash_notes_on_crash(void (*body)(int number, struct interrupted at)) {
    pthread_once(&once, prepare);
    pthread_mutex_lock(&mutex);
    owner = getpid();
    if (!report) install_faults();
    report = body;
    signal_stack_give();
    pthread_mutex_unlock(&mutex);
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

bool crash_notes_has(int slot, uintptr_t address) {
    const char *image = image_with(address);
    return image && slot >= 0 && slot < SLOTS && slots[slot].file != FREE && is_about(slot, image);
}

bool crash_notes_close(int slot) {
    if (slot < 0 || slot >= SLOTS) return true;
    pthread_mutex_lock(&mutex);
    slots[slot].file = FREE;
    if (--open_count == 0) {
        for EACH (hook, endings) uninstall(hook, on_ending);
        if (!report)
            for EACH (hook, faults) uninstall(hook, on_fault);
    }
    pthread_mutex_unlock(&mutex);
    return writing == 0;
}
