#ifndef CSYSTEM_CRASH_NOTES_H
#define CSYSTEM_CRASH_NOTES_H

#include <stdbool.h>

// Notes that a process writes into files while it dies, so that the next one knows whose code did it.
//
// While at least one file is open here, the signals of a crash are caught, also when a stack has overflown. Each file then
// gets a line, "crash <signal> <where>", and the signal goes on to whoever handled it before. `where` is
//   here       the code of the file's image was at work, or else it is the last one opened on the thread that crashed;
//   near       an address in the image lay on that thread's stack, or the thread is one of which only that much is known;
//   elsewhere  neither, or another file is the one.
// When the system has no more memory for the process, and the process has not taken much since the first file was opened, the
// line is "shortage" instead.
// A process that ends by exit() writes "exit here" into the file whose image has called it, from whatever thread, or else into
// the last one opened on the thread, and "exit elsewhere" into all others. One that somebody else tells to end, by SIGTERM, SIGINT
// or SIGHUP, writes "told <signal>", and the signal does what it did before: it ends the process, or its handler is called.
// A child made by fork() writes nothing.

// Opens a file for notes, on this thread.
//
// file: open for appending; stays the caller's.
// is_held: whether the thread is at work for the file until crash_notes_give_way. When false the code may leave it for another
// one, and a crash on it is "near".
// Returns what names it in the other calls; -1 when there is no room, or the platform has none of this.
int crash_notes_open(int file, bool is_held);

// Says under which name the loader knows, or will know, the library that the file is about.
void crash_notes_name(int slot, const char *_Nonnull image);

// What the thread does from now on is not for the file any more.
void crash_notes_give_way(int slot);

// Whether one of some addresses lies in the image that the file is about.
bool crash_notes_has(int slot, const void *_Nonnull const *_Nonnull addresses, int count);

// Writes a line into each file that is open for notes.
void crash_notes_write(const char *_Nonnull line);

// Closes a file for notes. Returns whether the caller may close it for everybody: when a crash is just being noted it must
// stay open, or the note could go into another file.
bool crash_notes_close(int slot);

// Writes down that this thread ends the process; for whoever ends it without exit().
void crash_notes_exit(void);

// The thread this runs on, as the system numbers them; never 0.
long csystem_thread(void);

#endif
