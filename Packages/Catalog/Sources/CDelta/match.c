#include <stdlib.h>
#include <string.h>

#include "delta.h"

// The similar parts of two contents, as in Colin Percival's "Naive differences of executable code": an exact match is extended in both
// directions as long as more than half of the bytes are equal. Code that has moved differs only in a few bytes of each address.
// Exact matches are found in a table of hashes, which needs less memory than a suffix array.

enum {
  seed = 16,        // the length of the bytes that are hashed
  ways = 4,         // the number of positions with the same hash
  longest = 1024,   // the length up to which a match is compared, so that the time stays linear
  better = 8,       // the number of bytes by which another match must be longer than the current one is similar
};

struct table {
  uint32_t *positions;  // 1 more than the position; 0 is none
  unsigned bits;
};

static size_t bucket(const struct table *table, const unsigned char *bytes) {
  uint64_t a, b;
  memcpy(&a, bytes, 8);
  memcpy(&b, bytes + 8, 8);
  uint64_t hash = (a ^ (b * 0x9E3779B97F4A7C15u)) * 0xD6E8FEB86659FD93u;
  hash ^= hash >> 32;
  hash *= 0xD6E8FEB86659FD93u;
  return (size_t)(hash >> (64 - table->bits)) * ways;
}

static int fill(struct table *table, const unsigned char *base, size_t size) {
  table->bits = 10;
  while (table->bits < 24 && ((size_t)ways << table->bits) < size) table->bits++;
  table->positions = calloc((size_t)ways << table->bits, sizeof *table->positions);
  if (!table->positions) return 0;
  // Of a large base, only some positions are in the table. A match is extended backwards to its start.
  size_t stride = size / ((size_t)ways << table->bits) + 1;
  for (size_t position = 0; position + seed <= size && position < UINT32_MAX; position += stride) {
    uint32_t *entries = table->positions + bucket(table, base + position);
    for (int way = 0; way < ways; way++) {
      if (entries[way]) continue;
      entries[way] = (uint32_t)position + 1;
      break;
    }
  }
  return 1;
}

static size_t equal(const unsigned char *a, size_t a_size, const unsigned char *b, size_t b_size) {
  size_t limit = a_size < b_size ? a_size : b_size, count = 0;
  if (limit > longest) limit = longest;
  while (count < limit && a[count] == b[count]) count++;
  return count;
}

// Returns the length of the longest known match of the start of some bytes, and its position.
static size_t search(
    const struct table *table, const unsigned char *base, size_t base_size, const unsigned char *bytes, size_t size,
    size_t *position) {
  if (size < seed) return 0;
  const uint32_t *entries = table->positions + bucket(table, bytes);
  size_t best = 0;
  for (int way = 0; way < ways && entries[way]; way++) {
    size_t candidate = entries[way] - 1;
    size_t length = equal(base + candidate, base_size - candidate, bytes, size);
    if (length <= best) continue;
    best = length;
    *position = candidate;
  }
  return best;
}

struct steps {
  struct delta_step *all;
  size_t count, capacity;
};

static int append(struct steps *steps, struct delta_step step) {
  if (step.similar + step.other == 0) return 1;
  if (steps->count == steps->capacity) {
    size_t capacity = steps->capacity * 2 + 64;
    struct delta_step *all = realloc(steps->all, capacity * sizeof *all);
    if (!all) return 0;
    steps->all = all;
    steps->capacity = capacity;
  }
  steps->all[steps->count++] = step;
  return 1;
}

struct delta_step *delta_match(
    const void *base_bytes, size_t base_size, const void *target_bytes, size_t target_size, size_t *count) {
  const unsigned char *base = base_bytes, *target = target_bytes;
  struct table table;
  struct steps steps = {malloc(sizeof(struct delta_step)), 0, 1};
  if (!steps.all || !fill(&table, base, base_size)) {
    free(steps.all);
    return NULL;
  }
  // The current match begins at `start` in the target and at `start_base` in the base.
  size_t start = 0, start_base = 0;
  size_t scan = 0, length = 0, position = 0;
  int is_complete = 1;
  while (scan < target_size && is_complete) {
    // Looks for a match that is clearly better than to go on with the current one.
    size_t score = 0, scored = scan += length;
    for (; scan < target_size; scan++) {
      length = search(&table, base, base_size, target + scan, target_size - scan, &position);
      for (; scored < scan + length; scored++) {
        size_t there = start_base + (scored - start);
        if (there < base_size && base[there] == target[scored]) score++;
      }
      if ((length == score && length != 0) || length > score + better) break;
      size_t there = start_base + (scan - start);
      if (scored > scan) {
        if (there < base_size && base[there] == target[scan]) score--;
      } else {
        scored = scan + 1;
      }
    }
    if (length == score && scan < target_size) continue;

    // The current match forwards, and the new one backwards.
    size_t forward = 0, backward = 0, equals = 0;
    long long best = 0;
    for (size_t i = 0; start + i < scan && start_base + i < base_size;) {
      if (base[start_base + i] == target[start + i]) equals++;
      i++;
      if ((long long)(equals * 2) - (long long)i > best) {
        best = (long long)(equals * 2) - (long long)i;
        forward = i;
      }
    }
    if (scan < target_size) {
      best = 0;
      equals = 0;
      for (size_t i = 1; scan >= start + i && position >= i; i++) {
        if (base[position - i] == target[scan - i]) equals++;
        if ((long long)(equals * 2) - (long long)i > best) {
          best = (long long)(equals * 2) - (long long)i;
          backward = i;
        }
      }
    }
    if (forward + backward > scan - start) {
      // Where both overlap, the border is where the sum of equal bytes is largest.
      size_t overlap = forward + backward - (scan - start), border = 0;
      long long sum = 0, largest = 0;
      for (size_t i = 0; i < overlap; i++) {
        size_t here = start + forward - overlap + i;
        if (target[here] == base[start_base + (here - start)]) sum++;
        if (target[here] == base[position - backward + i]) sum--;
        if (sum > largest) {
          largest = sum;
          border = i + 1;
        }
      }
      forward = forward - overlap + border;
      backward -= border;
    }
    size_t other = scan - backward - start - forward;
    is_complete = append(&steps, (struct delta_step){start_base, forward, other});
    start = scan - backward;
    start_base = position - backward;
  }
  free(table.positions);
  if (!is_complete) {
    free(steps.all);
    return NULL;
  }
  *count = steps.count;
  return steps.all;
}
