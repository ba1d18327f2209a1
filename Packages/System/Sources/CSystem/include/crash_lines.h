#ifndef CSYSTEM_CRASH_LINES_H
#define CSYSTEM_CRASH_LINES_H

#include <stddef.h>
#include <stdint.h>

#include <ucontext.h>

// Marks the functions that Packages/Processes calls. Plugins must not find the others.
#define CSYSTEM_SHARED __attribute__((visibility("default")))

// What the handlers of a crash share. All functions are async-signal-safe.

// The code that a signal has interrupted.
struct interrupted {
    // The instruction.
    uintptr_t code;
    // The return address of a call to an invalid address; otherwise any word, or 0.
    uintptr_t caller;
};

CSYSTEM_SHARED struct interrupted interrupted_by_signal(const ucontext_t *_Nonnull context);

// A line of text that is put together in a signal handler. It is cut off where the room ends.
struct line {
    int file;
    size_t size;
    char bytes[4352];
};

CSYSTEM_SHARED void line_add(struct line *_Nonnull line, const char *_Nonnull text);
CSYSTEM_SHARED void line_add_number(struct line *_Nonnull line, uint64_t number, unsigned base);
// Writes the line with a line feed, and empties it.
CSYSTEM_SHARED void line_write(struct line *_Nonnull line);

// Alternate signal stacks, without which a stack overflow ends a process before any handler of it runs. Each thread gets one when it
// starts, whoever starts it, because this target replaces pthread_create.

// Gives the calling thread an alternate stack, unless it has one.
void signal_stack_give(void);

// Returns a number of the open /proc/self/statm, in bytes; 0 if there is none.
CSYSTEM_SHARED size_t crash_memory(int file, int field);

#endif
