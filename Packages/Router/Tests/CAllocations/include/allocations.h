#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

#include <stdbool.h>

// Whether allocations are counted: on glibc, unless a sanitizer has an allocator of its own.
bool allocations_are_counted(void);

// How often the calling thread has asked the heap for memory since it started. Other threads do not count, so tests that
// run beside the one that asks do not disturb it.
unsigned long allocations_of_this_thread(void);

#endif
