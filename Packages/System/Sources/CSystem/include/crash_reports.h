#ifndef CSYSTEM_CRASH_REPORTS_H
#define CSYSTEM_CRASH_REPORTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>
#include <ucontext.h>

#include "code_owners.h"

// The code that a signal has interrupted.
struct interrupted {
    // The instruction.
    uintptr_t code;
    // The return address of a call to an invalid address; otherwise any word, or 0.
    uintptr_t caller;
};

// Async-signal-safe.
struct interrupted interrupted_by_signal(const ucontext_t *_Nonnull context);

// Alternate signal stacks, without which a stack overflow ends a process before any handler of it runs. Each thread gets one when it
// starts, whoever starts it, because this target replaces pthread_create.

// Gives the calling thread an alternate stack, unless it has one.
void signal_stack_give(void);

// Crash reports: a text file for each crash of this process, with the calls on the stack.
//
//     crash report 1
//     signal 11
//     time 1763936000
//     process 12345
//     thread 12346
//     sender com.example.app.shop@1.0.0 com.example.app.shop.widget
//     frame 1a2c4 com.example.app.shop@1.0.0
//     frame 9283 /usr/lib/x86_64-linux-gnu/libc.so.6
//
// The frames are innermost first: the address in the library's file in hexadecimal, then the bundle that owns the library, or the
// library's path, or "program", or "-" for code outside of all of them. A report without a signal is about a hang. The file's name is the time
// in seconds since 1970, "-", and the process. A sender is the version, and the extension if it is one, whose message the thread handled. RecordedCrash+Text.swift writes the reports of processes that describe their crashes to
// their hosts; these have the lines "bundle" and "extension", too, and "deadline request 30.0" with the deadline that a hung process missed.

// A line of text that is put together in a signal handler. It is cut off where the room ends.
struct line {
    int file;
    size_t size;
    char bytes[4352];
};

void line_add(struct line *_Nonnull line, const char *_Nonnull text);
void line_add_number(struct line *_Nonnull line, uint64_t number, unsigned base);
// Writes the line with a line feed, and empties it.
void line_write(struct line *_Nonnull line);

// Returns a number of the open /proc/self/statm, in bytes; 0 if there is none. Async-signal-safe.
CSYSTEM_SHARED size_t crash_reports_memory(int file, int field);

// Sets the folder of reports. Returns false when the path is too long.
bool crash_reports_begin(const char *_Nonnull folder);

bool crash_reports_are_on(void);

// Writes the report of a signal. A damaged stack may make it fault again.
void crash_reports_write(int number, struct interrupted at);

// Writes only the lines of the frames that a signal has interrupted to an open file; as crash_reports_write.
CSYSTEM_SHARED void crash_reports_write_frames(int file, const ucontext_t *_Nonnull context);

#endif
