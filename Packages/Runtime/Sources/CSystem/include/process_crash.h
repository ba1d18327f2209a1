#ifndef CSYSTEM_PROCESS_CRASH_H
#define CSYSTEM_PROCESS_CRASH_H

#include <stdint.h>

// A note in memory that two processes share, in which one of them describes its crash for the other.

// The note. It is all zero until the process has crashed, and may contain anything if its code is hostile.
typedef struct csystem_crash {
    // The signal of the crash.
    int32_t signal;
    // The number of the thread.
    int32_t thread;
    // The private writable memory of the process at that moment, in bytes, or 0 if it is unknown.
    uint64_t memory;
} csystem_crash_t;

// Creates a file in memory for a note. Returns a descriptor, or -1 with errno.
int csystem_crash_create(void);
// Reads the note. Returns 0, or -1 with errno.
int csystem_crash_read(int file, csystem_crash_t *_Nonnull crash);
// Makes this process write the note when a fault or an abort ends it. Returns 0, or -1 with errno.
int csystem_crash_install(int file);

#endif
