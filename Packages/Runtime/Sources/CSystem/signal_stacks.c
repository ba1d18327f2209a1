#define _GNU_SOURCE
#include "signal_stacks.h"

#ifdef __linux__
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
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

void signal_stack_give(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, prepare);
    stack_t now;
    if (sigaltstack(NULL, &now) != 0 || !(now.ss_flags & SS_DISABLE)) return;
    void *memory = mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t stack = {.ss_sp = memory, .ss_size = STACK};
    if (pthread_setspecific(key, memory) == 0 && sigaltstack(&stack, NULL) == 0) return;
    pthread_setspecific(key, NULL);
    munmap(memory, STACK);
}

__attribute__((constructor)) static void begin(void) { signal_stack_give(); }

typedef int create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

struct start {
    void *(*body)(void *);
    void *context;
};

static void *run(void *argument) {
    struct start start = *(struct start *)argument;
    free(argument);
    signal_stack_give();
    return start.body(start.context);
}

__attribute__((visibility("default")))
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *context) {
    create *next = dlsym(RTLD_NEXT, "pthread_create");
    struct start *start = malloc(sizeof *start);
    if (!next || !start) {
        free(start);
        return EAGAIN;
    }
    *start = (struct start){body, context};
    int status = next(thread, attributes, run, start);
    if (status != 0) free(start);
    return status;
}
#else
void signal_stack_give(void) {}
#endif
