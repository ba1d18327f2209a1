#ifndef CSYSTEM_PLUGIN_OUTPUT_H
#define CSYSTEM_PLUGIN_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

// The text that code writes to the C library's standard output, as Swift's print() does.

// Replaces `stdout` by a stream that passes each line to `taker`, on the thread that writes it. `owner` is the bundle whose
// code wrote it, or NULL when that is unknown. A long line comes in pieces. Returns false with errno when memory is exhausted.
bool plugin_output_take(
    void (*_Nonnull taker)(const char *_Nonnull bytes, size_t count, const char *_Nullable owner));

// Passes on the text of an unfinished line, unless another thread is writing at the same time.
void plugin_output_flush(void);

// Makes standard output unbuffered, so that no printed text is lost however the process ends.
void plugin_output_unbuffer(void);

#endif
