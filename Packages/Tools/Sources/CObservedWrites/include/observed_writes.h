#ifndef COBSERVEDWRITES_H
#define COBSERVEDWRITES_H

#include <stddef.h>

// The paths of files that code of this process, and of the processes that it starts, is about to create, change or remove. The kernel asks
// a thread of this process about each such system call (seccomp_unotify(2)), so neither the time nor the library of the call matters. Only
// Linux from 5.5 can do that.

// Begins to note paths. The process must have one thread.
//
// `ignored` is a folder without links in its path, whose files are not noted. Returns 0, or -1 with errno. It can be called once.
int observed_writes_observe(const char *_Nonnull ignored);

// Forgets the paths that were noted.
void observed_writes_clear(void);

// Copies the paths into a buffer, each followed by a zero byte, and returns their bytes. A path is noted once. Those that do not fit into
// the memory for them are lost, which is about ten thousand. `?` stands for a path that cannot be read.
size_t observed_writes_copy(char *_Nonnull buffer, size_t size);

#endif
