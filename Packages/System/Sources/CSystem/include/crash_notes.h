#ifndef CSYSTEM_CRASH_NOTES_H
#define CSYSTEM_CRASH_NOTES_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "crash_lines.h"

// Crash records: lines that a dying process writes into files, so that the next process knows whose code caused the crash.
//
// While at least one file is open here, the signals of a crash are caught, also after a stack overflow. Each file then gets a
// line, "crash <signal> <where>", and the signal is passed on to its previous handler. `where` is
//   here       for the file whose image was running, or else the file opened last by the crashed thread;
//   near       for a file that the thread has opened with `is_held` false;
//   elsewhere  for all other files.
// When memory is exhausted although the process has grown little since the first file was opened, the line is "shortage" instead.
// A process that ends by exit() writes "exit here" into the file whose image called it, on any thread, or else into the file
// opened last by the thread, and "exit elsewhere" into all others. When another process sends SIGTERM, SIGINT or SIGHUP, the
// line is "told <signal>", and the signal is passed on to its previous handler. A child made by fork() writes nothing.

// Opens a file for crash records of this thread.
//
// file: open for appending; the caller keeps its ownership.
// is_held: whether the thread works for the file until crash_notes_give_way. When false, the code may move on to another
// thread, and a crash on this thread is recorded as "near".
// Returns the slot for the other calls, or -1 when all slots are taken or the platform isn't supported.
int crash_notes_open(int file, bool is_held);

// Calls `body` for each crash of this process, after it was recorded, from now on and whether or not files are open here.
CSYSTEM_SHARED void crash_notes_on_crash(void (*_Nonnull body)(int number, struct interrupted at));

// Sets the name under which the loader knows, or will know, the library that the file is about.
void crash_notes_name(int slot, const char *_Nonnull image);

// Ends the thread's work for the file.
void crash_notes_give_way(int slot);

// Returns whether an address lies in the image that the file is about.
bool crash_notes_has(int slot, uintptr_t address);

// Records in all files that the process ends because the system has refused it memory or threads.
void crash_notes_shortage(void);

// Closes a slot. Returns whether the caller may close the file: while a crash is being recorded it must stay open, because the
// record could otherwise go into another file that has got the same descriptor.
bool crash_notes_close(int slot);

// Records that this thread ends the process, for code that ends it without exit().
CSYSTEM_SHARED void crash_notes_exit(void);

#endif
