#include "baseline.h"

#include <dlfcn.h>
#include <stddef.h>

void *baseline_load(const char *path, const char *symbol) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, symbol) : NULL;
}
