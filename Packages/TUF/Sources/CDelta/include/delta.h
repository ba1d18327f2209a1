// Differences to a base, compression by libzstd, and raw deflate by zlib. libzstd is opened with dlopen on the first use.
#ifndef DELTA_H
#define DELTA_H

#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

// Input or output of a step, and how much of it is done.
struct delta_buffer {
  void *_Nullable bytes;
  size_t size;
  size_t done;
};

enum {
  delta_more = 0,     // the output is full, or the input is used up
  delta_end = 1,      // everything is done
  delta_invalid = 2,  // the input is not of this format
  delta_memory = 3,   // no memory, or a window that is larger than the limit
};

// Returns NULL if libzstd can be used, or the reason why not.
const char *_Nullable delta_problem(void);

// Returns the size of the output that is enough for an input, or 0 if the input is too large.
size_t delta_bound(size_t size);
// Compresses everything at once. Returns the size of the output, or 0 if it fails.
size_t delta_compress(struct delta_buffer output, struct delta_buffer input, int window_log, int level);

// A step from a base to a target: bytes that are similar to those of the base, and then bytes that are not.
struct delta_step {
  size_t base;    // the position of the similar bytes in the base
  size_t similar; // their number
  size_t other;   // the number of the other bytes
};

// Finds the steps from a base to a target. Returns NULL without memory; otherwise the caller frees the steps with delta_free.
struct delta_step *_Nullable delta_match(struct delta_buffer base, struct delta_buffer target, size_t *_Nonnull count);
void delta_free(struct delta_step *_Nonnull steps);

struct delta_decompressor;
// Accepts windows up to a size. Returns NULL without memory.
struct delta_decompressor *_Nullable delta_decompressor_create(int window_log);
void delta_decompressor_destroy(struct delta_decompressor *_Nonnull decompressor);
int delta_decompress(
    struct delta_decompressor *_Nonnull decompressor, struct delta_buffer *_Nonnull output,
    struct delta_buffer *_Nonnull input);

// A stream of raw deflate, without the header of zlib.
struct delta_deflate;
struct delta_deflate *_Nullable delta_deflate_create(int level, int memory_level);
void delta_deflate_destroy(struct delta_deflate *_Nonnull stream);
int delta_deflate_step(
    struct delta_deflate *_Nonnull stream, struct delta_buffer *_Nonnull output, struct delta_buffer *_Nonnull input,
    int is_last);
// Inflates everything at once into an output of the right size. Returns 0 unless input and output fit exactly.
int delta_inflate(struct delta_buffer output, struct delta_buffer input);

#pragma GCC visibility pop

#endif
