#include "allocations.h"

#include <stddef.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define OTHER_ALLOCATOR 1
#endif
#endif

#if defined(__linux__) && !defined(OTHER_ALLOCATOR)
#include <features.h>
#endif

#if defined(__GLIBC__) && !defined(OTHER_ALLOCATOR)

#include <errno.h>

// The names of the C library's own functions, so that the ones that programs call can be defined here. The dynamic linker
// takes an executable's definition before a library's, for calls from libraries as well.
extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Thread_local unsigned long count;

bool allocations_are_counted(void) { return true; }
unsigned long allocations_of_this_thread(void) { return count; }

void *malloc(size_t size) {
    count++;
    return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
    count++;
    return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
    count++;
    return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    count++;
    return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size) {
    *memory = memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}

#else

bool allocations_are_counted(void) { return false; }
unsigned long allocations_of_this_thread(void) { return 0; }

#endif
