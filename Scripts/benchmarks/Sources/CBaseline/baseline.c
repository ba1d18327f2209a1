#include "baseline.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/file.h>

void *baseline_load(const char *path, const char *symbol) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, symbol) : NULL;
}

const void *baseline_load_and_call(const char *path, const char *symbol) {
    void *function = baseline_load(path, symbol);
    return function ? ((const void *(*)(void))function)() : NULL;
}

const void *baseline_load_descriptor(const char *path, const char *symbol) {
    char name[32];
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (file < 0) return NULL;
    snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    return baseline_load_and_call(name, symbol);
}

int baseline_hold(const char *path) {
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    return folder < 0 || flock(folder, LOCK_SH | LOCK_NB) == 0 ? folder : -1;
}
