#ifndef CPROCESSES_CRASH_REPORTS_H
#define CPROCESSES_CRASH_REPORTS_H

#include <stddef.h>
#include <stdint.h>

#include <ucontext.h>

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
//     build 09d5fbead13fe65870a97f7172d83c3f42cdcf5d com.example.app.shop@1.0.0
//
// The frames are innermost first: the address in the library's file in hexadecimal, then the bundle that owns the library, or the
// library's path, or "program", or "-" for code outside of all of them. A build is the build ID of an owner's library, by which its debug files are found. A report without a signal is about a hang. The file's name is the time
// in seconds since 1970, "-", and the process. A sender is the version, and the extension if it is one, whose
// message the thread handled. RecordedCrash+Text.swift writes the reports of processes that describe their crashes to their hosts; these have the lines "bundle" and "extension", too, and "deadline request 30.0" with the deadline that a hung process missed.

// Makes each crash of this process leave a report in a folder, from now on, unless the path is too long for one. The folder is created when
// the first report is written.
void crash_reports_begin(const char *_Nonnull folder);

// Writes a report of a thread that hangs, whose process may go on. The addresses are those of the calls on its stack, innermost first.
void crash_reports_write_hang(long thread, const uintptr_t *_Nonnull addresses, size_t count);

// Writes only the lines of the frames that a signal has interrupted to an open file. Async-signal-safe, but a damaged stack may make it fault.
void crash_reports_write_frames(int file, const ucontext_t *_Nonnull context);

// Makes the crash report of this thread name the sender of the messages that it handles; NULL for none. The text must never be freed.
// Returns the one before.
const char *_Nullable crash_reports_handle(const char *_Nullable sender);

#endif
