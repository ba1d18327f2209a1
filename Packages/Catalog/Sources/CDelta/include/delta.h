// Differences to a base, and the declarations of libzstd.
#ifndef DELTA_H
#define DELTA_H

#include <stddef.h>
#include <stdint.h>
#include <zstd.h>
#include <zstd_errors.h>

#pragma GCC visibility push(default)

// Receives a step from a base to a target: the position of bytes in the base that are similar to the next ones of the target, their
// number, and the number of other bytes that follow.
typedef void (*delta_receiver)(void *_Nonnull context, size_t base, size_t similar, size_t other);

// Finds the steps from a base to a target. Returns 0 without memory.
int delta_match(
    const void *_Nullable base, size_t base_size, const void *_Nullable target, size_t target_size,
    delta_receiver _Nonnull receive, void *_Nonnull context);

#pragma GCC visibility pop

#endif
