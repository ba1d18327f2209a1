#ifndef CSYSTEM_PLUGIN_OUTPUT_H
#define CSYSTEM_PLUGIN_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

// What code writes to the C library's standard output, as Swift's print() does.

// Puts another stream in the place of `stdout`, which hands each line to `taker` on the thread that writes it. `owner` is the
// bundle whose code that is, NULL for code that is not known to be a bundle's. A long line comes in pieces. False with errno
// when there is no memory.
bool plugin_output_take(
    void (*_Nonnull taker)(const char *_Nonnull bytes, size_t count, const char *_Nullable owner));

// Hands over what is not a whole line yet, unless another thread is writing just now.
void plugin_output_flush(void);

#endif
