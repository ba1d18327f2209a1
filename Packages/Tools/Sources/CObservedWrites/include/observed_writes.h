#ifndef COBSERVEDWRITES_H
#define COBSERVEDWRITES_H

// The paths of files that code of this process, and of the processes that it starts, is about to create, change or remove. The kernel asks
// a thread of this process about each such system call (seccomp_unotify(2)), so neither the time nor the library of the call matters. Only
// Linux from 5.5 can do that.

// Begins to note paths. The process must have one thread.
//
// `ignored` is a folder without links in its path, whose files are not noted. Returns the descriptor of a file in memory that gets the paths,
// each followed by a zero byte, or -1 with errno. `?` stands for a path that cannot be read. It can be called once.
int observed_writes_observe(const char *_Nonnull ignored);

#endif
