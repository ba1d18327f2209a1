#ifndef CPROCESSES_PROCESS_END_H
#define CPROCESSES_PROCESS_END_H

#include <stdbool.h>
#include <stddef.h>

// The end of a host's process, which only the host may initiate.
//
// The functions of the C library that end a process or replace its program, exit(), _exit(), _Exit(), quick_exit() and the exec
// family, are defined here for the whole process. Each does what it always does, unless the process is guarded and code of a
// bundle has called it: then the bundle is reported, and the process exits with the status of a crash.
//
// The loader finds them here because a program that links this library links it before the C library. A system call that a bundle makes
// directly isn't noticed.

// Forbids bundles to end this process. A child made by fork() isn't guarded.
//
// status: the exit status of the process when a bundle ends it.
// report: called then, on the thread of the bundle, with the bundle, or NULL when it is unknown, and the called function. The process
// ends two seconds later even if it does not return.
void process_end_guard(int status, void (*_Nonnull report)(const char *_Nullable owner, const char *_Nonnull call));

// The parts of a host that end a process: its command when it has finished, the watch that gives up on a hanging plugin, or a bundle.
enum process_ender { process_ender_command = 1, process_ender_watch, process_ender_bundle };

// Claims the right to write the final output and end the process, which may then go on on another thread. Blocks forever when
// another ender has claimed it.
void process_end_claim(enum process_ender ender);

// Ends the process without running exit handlers: only C streams are flushed, for at most the given number of seconds.
_Noreturn void process_end_now(enum process_ender ender, int status, unsigned seconds);

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
