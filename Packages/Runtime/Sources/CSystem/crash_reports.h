#ifndef CSYSTEM_CRASH_REPORTS_H
#define CSYSTEM_CRASH_REPORTS_H

#include <stdbool.h>

#include "stack_frames.h"

// Crash reports: a text file for each crash of this process.
//
//     crash report 1
//     signal 11
//     time 1763936000
//     process 12345
//     thread 12346
//     sender com.example.app.shop@1.0.0 com.example.app.shop.widget
//     code com.example.app.shop@1.0.0
//
//     *** Program crashed: Bad pointer dereference at 0x0000000000000000 ***
//
// The file's name is the time in seconds since 1970, "-", and the process. "sender" is the version, and the extension if it is one, whose
// message the thread handled; "code" is the bundle whose code is innermost on the stack. After an empty line comes the stack as text: for a
// crash, what the handler of the Swift runtime prints. A report without a signal is about a hang. RecordedCrash+Text.swift writes the
// reports of hangs, and those of processes that describe their crashes to their hosts; these have the lines "bundle" and "extension", too, and
// "deadline request 30.0" with the deadline that a hung process missed.

// Sets the folder of reports. Returns false when the path is too long.
bool crash_reports_begin(const char *_Nonnull folder);

bool crash_reports_are_on(void);

// Writes the report of a signal; async-signal-safe.
//
// is_last: whether the process surely ends when the handlers have run, so that all that it prints from now on can go into the report.
void crash_reports_write(int number, struct stack_registers at, bool is_last);

#endif
