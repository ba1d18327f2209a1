#define _GNU_SOURCE
#include "threads.h"
#include "crash_notes.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>

struct start {
    void (*body)(void *);
    void *context;
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    sigset_t none;
    sigemptyset(&none);
    pthread_sigmask(SIG_SETMASK, &none, NULL);
    start.body(start.context);
    return NULL;
}

int csystem_start_thread(void (*body)(void *), void *context) {
    struct start *start = malloc(sizeof *start);
    if (!start) return ENOMEM;
    *start = (struct start){body, context};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 1024 * 1024);
    pthread_t thread;
    int status = pthread_create(&thread, &attributes, run, start);
    pthread_attr_destroy(&attributes);
    if (status != 0) free(start);
    return status;
}

static void *nothing(void *argument) {
    return argument;
}

int csystem_try_thread(void) {
    pthread_t thread;
    int status = pthread_create(&thread, NULL, nothing, NULL);
    if (status == 0) pthread_join(thread, NULL);
    return status;
}

#include <dirent.h>
#include <execinfo.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
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
    } else if (thread == 0 ? csystem_may_run_main_queue() : thread == csystem_thread()) {
        // Only one thread may answer.
        if (atomic_compare_exchange_strong(&asked, &thread, NOBODY)) answer = backtrace(frames, FRAMES);
    }
    errno = error;
}

void csystem_signal_threads(int process, int number) {
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *folder = opendir(path);
    if (!folder) return;
    struct dirent *entry;
    while ((entry = readdir(folder))) {
        long thread = atol(entry->d_name);
        if (thread > 0 && thread != process && thread != csystem_thread()) syscall(SYS_tgkill, process, thread, number);
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
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_question;
    action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    // The handler stays installed: by default the signal ends the process, and a thread may receive it late.
    is_taken = sigaction(SIGPROF, &action, &before) == 0;
    return is_taken;
}

static void wait_for_answer(int milliseconds) {
    struct timespec moment = {0, 5 * 1000 * 1000};
    for (int i = 0; i < milliseconds / 5 && answer < 0; i++) nanosleep(&moment, NULL);
}

int csystem_stack(long thread, const void **addresses, int limit) {
    static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&turn);
    int count = 0;
    if (take_question()) {
        answer = -1;
        asked = thread;
        if (thread == 0) {
            // The initial thread is asked last: libdispatch leaves it the main queue's label even while another thread runs that queue.
            csystem_signal_threads(getpid(), SIGPROF);
            wait_for_answer(100);
            thread = getpid();
        }
        if (answer < 0) syscall(SYS_tgkill, getpid(), thread, SIGPROF);
        wait_for_answer(1000);
        asked = NOBODY;
        // The first two frames are the handler and the return from it.
        for (int i = 2; i < answer && count < limit; i++) addresses[count++] = frames[i];
    }
    pthread_mutex_unlock(&turn);
    return count;
}

extern int _dl_find_object(void *address, struct dl_find_object *result) __attribute__((weak));

// Returns the address of a part of a library from its dynamic section, where the loader has turned most offsets into addresses.
static const void *part(const struct link_map *map, ElfW(Sxword) tag) {
    for (const ElfW(Dyn) *entry = map->l_ld; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag != tag) continue;
        ElfW(Addr) address = entry->d_un.d_ptr;
        return (const void *)(address < map->l_addr ? address + map->l_addr : address);
    }
    return NULL;
}

// Returns the exported function at an address. dladdr(3) would wait for the loader's lock, which a library holds that hangs
// while it is loaded.
static const char *function(const struct link_map *map, uintptr_t address) {
    const ElfW(Sym) *symbols = part(map, DT_SYMTAB);
    const char *names = part(map, DT_STRTAB);
    const uint32_t *hash = part(map, DT_GNU_HASH);
    if (!symbols || !names || !hash) return NULL;
    // The hash table gives the number of symbols: the last chain ends with the last symbol.
    uint32_t bucket_count = hash[0], first = hash[1];
    const uint32_t *buckets = hash + 4 + hash[2] * (sizeof(ElfW(Addr)) / sizeof *hash);
    const uint32_t *chains = buckets + bucket_count;
    uint32_t last = 0;
    for (uint32_t i = 0; i < bucket_count; i++)
        if (buckets[i] > last) last = buckets[i];
    if (last < first) return NULL;
    while ((chains[last - first] & 1) == 0) last++;
    for (uint32_t i = first; i <= last; i++) {
        uintptr_t start = map->l_addr + symbols[i].st_value;
        if ((symbols[i].st_info & 0xf) != STT_FUNC || symbols[i].st_shndx == SHN_UNDEF) continue;
        if (address >= start && address < start + symbols[i].st_size) return names + symbols[i].st_name;
    }
    return NULL;
}

struct csystem_place csystem_place(const void *address) {
    struct csystem_place place = {0};
    struct dl_find_object found;
    if (!_dl_find_object || _dl_find_object((void *)address, &found) != 0 || !found.dlfo_link_map) return place;
    const struct link_map *map = found.dlfo_link_map;
    // The program itself has an empty name.
    place.file = map->l_name && *map->l_name ? map->l_name : "/proc/self/exe";
    place.offset = (uintptr_t)address - map->l_addr;
    place.symbol = function(map, (uintptr_t)address);
    return place;
}
