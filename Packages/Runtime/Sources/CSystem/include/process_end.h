#ifndef CSYSTEM_PROCESS_END_H
#define CSYSTEM_PROCESS_END_H

// The end of a host's process, which is for the host alone to order.
//
// The functions of the C library that end a process or replace its program, exit(), _exit(), _Exit(), quick_exit() and the
// exec family, are defined here for the whole process. Each one does what it always does, unless the process is guarded and a
// bundle's code has called it: then the bundle is reported, and the process ends with the status of a crash.
//
// The program has to be linked with --export-dynamic-symbol for each of them, which Package.swift asks for. A system call that
// a bundle makes by itself is not noticed.

// From now on a bundle must not end this process. A child made by fork() is not guarded.
//
// status: what the process ends with when a bundle ends it.
// file: a descriptor, which gets `text` then; -1 for none. In the text `owner_mark` stands for the bundle, or `nobody` when it
// is not known which one it is, and `call_mark` for the function that was called. All texts are copied.
void process_end_guard(
    int status, int file, const char *_Nonnull text, const char *_Nonnull owner_mark, const char *_Nonnull call_mark,
    const char *_Nonnull nobody);

// Who ends a process: the host's command when it is done, or a watch that gives a hanging plugin up. A bundle is the third.
enum process_ender { process_ender_command = 1, process_ender_watch, process_ender_bundle };

// From now on the caller has the last word on standard output and ends the process; it may go on on another thread. Does not
// return when another one of them has it.
void process_end_claim(enum process_ender ender);

// Ends the process without running what libraries have registered for its end: only what C streams hold is written, and the
// process ends after so many seconds even if that is not done.
_Noreturn void process_end_now(enum process_ender ender, int status, unsigned seconds);

#endif
