#define _GNU_SOURCE
#include "system.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>

enum { STACK = 64 * 1024 };

static pthread_key_t key;

static void take(void *stack) {
    stack_t now;
    if (sigaltstack(NULL, &now) == 0 && now.ss_sp == stack) {
        stack_t none = {.ss_flags = SS_DISABLE};
        if (sigaltstack(&none, NULL) != 0) return;
    }
    munmap(stack, STACK);
}

static void prepare(void) { pthread_key_create(&key, take); }

static void *new_stack(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, prepare);
    void *memory = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

// Gives this thread a stack for signals, unless it has one.
static void give(void *memory) {
    stack_t now, stack = {.ss_sp = memory, .ss_size = STACK};
    bool is_without = sigaltstack(NULL, &now) == 0 && (now.ss_flags & SS_DISABLE);
    if (is_without && pthread_setspecific(key, memory) == 0 && sigaltstack(&stack, NULL) == 0) return;
    if (is_without) pthread_setspecific(key, NULL);
    munmap(memory, STACK);
}

void signal_stack_give(void) {
    void *memory = new_stack();
    if (memory) give(memory);
}

typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

// The C library's function. It is looked up before any thread: a lookup waits for the loader, and a plugin that hangs while it is loaded
// must not keep the host from making the threads that end it.
static create *original;

__attribute__((constructor)) static void begin(void) {
    if (!original) original = dlsym(RTLD_NEXT, "pthread_create");
    signal_stack_give();
}

// What a new thread does, at the start of its stack for signals: memory from malloc() would cost each thread an arena.
struct start {
    void *(*body)(void *);
    void *context;
};

static void *run(void *memory) {
    struct start start = *(struct start *)memory;
    give(memory);
    return start.body(start.context);
}

__attribute__((visibility("default")))
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
    // The first thread may come before the constructor above.
    create *next = original ? original : dlsym(RTLD_NEXT, "pthread_create");
    if (!next) return EAGAIN;
    struct start *start = new_stack();
    if (!start) return next(thread, attributes, body, context);
    *start = (struct start){body, context};
    int status = next(thread, attributes, run, start);
    if (status != 0) munmap(start, STACK);
    return status;
}
