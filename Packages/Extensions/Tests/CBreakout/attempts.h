#ifndef ATTEMPTS_H
#define ATTEMPTS_H

#include "breakout.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

typedef const struct breakout_targets targets;

// Returns 0 for a call that succeeded, or its error.
#define TRY(call) ((call) < 0 ? errno : 0)

// Returns 0 for a call that the kernel has rejected only because of its useless arguments, so that it was allowed.
static inline int processed(long result, int rejection) {
    if (result >= 0 || errno == rejection) return 0;
    return errno;
}

// Writes the path of an item in a folder into a buffer of the caller.
#define PATH(name, ...) \
    char name[4096]; \
    snprintf(name, sizeof name, __VA_ARGS__)

int read_file(const char *path);
int open_for_writing(const char *path);

extern const struct breakout_attempt file_attempts[], process_attempts[], network_attempts[], system_attempts[];
extern const int file_count, process_count, network_count, system_count;

#endif
