#ifndef CSYSTEM_PROCESS_CRASH_H
#define CSYSTEM_PROCESS_CRASH_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// A note in memory that two processes share, in which one of them describes its crash or hang for the other. After the note come the lines of
// the stack's frames, as in a crash report.

// The signal with which the host requests the main queue's stack. libdispatch's threads don't block it.
#define CSYSTEM_STACK_SIGNAL SIGPROF
// The number of bytes for the lines of the frames, more than a handler writes.
#define CSYSTEM_FRAMES_SIZE 65536

// The note. It is all zero until the process has crashed or has answered a request for its stack, and may contain anything if its code is
// hostile.
typedef struct csystem_crash {
    // The signal of the crash, or CSYSTEM_STACK_SIGNAL.
    int32_t signal;
    // The number of the thread.
    int32_t thread;
    // The private writable memory of the process at that moment, in bytes, or 0 if it is unknown.
    uint64_t memory;
    // Room through which the process copies parts of its stack.
    uint64_t scratch[2];
} csystem_crash_t;

// Creates a file in memory for a note. Returns a descriptor, or -1 with errno.
int csystem_crash_create(void);
// Reads the note. Returns 0, or -1 with errno.
int csystem_crash_read(int file, csystem_crash_t *_Nonnull crash);
// Reads the lines of the frames, up to a zero. Returns the number of bytes, or -1 with errno.
ssize_t csystem_crash_read_frames(int file, void *_Nonnull into, size_t size);
// Makes this process write the note when a fault or an abort ends it, or when its host requests its stack. Returns 0, or -1 with errno.
int csystem_crash_install(int file);

#endif
