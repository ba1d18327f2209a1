// Differences to a base, and the declarations of libzstd.
#ifndef DELTA_H
#define DELTA_H

#include <stddef.h>
#include <stdint.h>
#include <zstd.h>
#include <zstd_errors.h>

// A step from a base to a target: bytes that are similar to those of the base, and then bytes that are not.
struct delta_step {
  size_t base;    // the position of the similar bytes in the base
  size_t similar; // their number
  size_t other;   // the number of the other bytes
};

#pragma GCC visibility push(default)

// Finds the steps from a base to a target. Returns NULL without memory; otherwise the caller frees the steps.
struct delta_step *_Nullable delta_match(
    const void *_Nullable base, size_t base_size, const void *_Nullable target, size_t target_size,
    size_t *_Nonnull count);

#pragma GCC visibility pop

#endif
