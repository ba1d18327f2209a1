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

// Returns the number of bytes in a direction of which more than half are equal by the largest number.
static size_t similar(const unsigned char *a, const unsigned char *b, size_t limit, int direction) {
  size_t count = 0;
  long long score = 0, best = 0;
  for (size_t i = 1; i <= limit; i++, a += direction, b += direction) {
    score += *a == *b ? 1 : -1;
    if (score <= best) continue;
    best = score;
    count = i;
  }
  return count;
}

int delta_match(
    const void *base_bytes, size_t base_size, const void *target_bytes, size_t target_size, delta_receiver receive,
    void *context) {
  const unsigned char *base = base_bytes, *target = target_bytes;
  struct table table;
  if (!fill(&table, base, base_size)) return 0;
  // The current match begins at `start` in the target and at `start_base` in the base.
  size_t start = 0, start_base = 0;
  size_t scan = 0, length = 0, position = 0;
  while (scan < target_size) {
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
    size_t gap = scan - start, ahead = base_size - start_base;
    size_t forward = similar(base + start_base, target + start, gap < ahead ? gap : ahead, 1), backward = 0;
    if (scan < target_size) {
      backward = similar(base + position - 1, target + scan - 1, gap < position ? gap : position, -1);
    }
    // Where both overlap, the bytes belong to the current match.
    if (forward + backward > gap) backward = gap - forward;
    size_t other = gap - forward - backward;
    if (forward + other > 0) receive(context, start_base, forward, other);
    start = scan - backward;
    start_base = position - backward;
  }
  free(table.positions);
  return 1;
}
