#ifndef CSYSTEM_SYSTEM_H
#define CSYSTEM_SYSTEM_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "crash_lines.h"

// Linux functions that glibc declares only for _GNU_SOURCE, which Swift's importer doesn't define, and those with variable arguments.

// As in the C library.
int gettid(void);
int renameat2(int folder, const char *_Nonnull path, int other_folder, const char *_Nonnull other, unsigned flags);
enum { csystem_exchange = 2 /* RENAME_EXCHANGE */ };
int syncfs(int file);
enum { csystem_clone = 0x40049409 /* FICLONE */, csystem_seek_data = 3 /* SEEK_DATA */, csystem_seek_hole = 4 /* SEEK_HOLE */ };

// Locks a whole open file without waiting, by `kind`: F_RDLCK, F_WRLCK or F_UNLCK. The lock belongs to the open file and not to
// the process, and changes from one kind to another atomically. Returns 0, or -1 with errno.
int csystem_lock(int file, int kind);

// Opens a file that belongs to this process alone, as openat(2) does with O_CLOEXEC and mode 0644: a child made by fork()
// closes it at once, so that no lock on it outlives the process. Returns a descriptor for csystem_close_private, or -1 with
// errno.
int csystem_open_private(int folder, const char *_Nonnull path, int flags);
// Closes a descriptor that csystem_open_private has opened.
void csystem_close_private(int file);

// Returns whether files in a folder can share blocks, by an attempt with two files that have no names.
bool csystem_can_share(const char *_Nonnull folder);

// Takes or releases a lease on a file (fcntl(2), "Leases"), which keeps every process from opening it for writing. A writer
// waits until the lease is released or the system's time limit has passed; the signal that announces it is ignored by default.
// Returns 0, or -1 with errno: EAGAIN when the file is open for writing, EACCES or EINVAL where leases aren't supported.
int csystem_lease(int file, int isWanted);

// Returns the loader's entry for a library that dlopen() has opened, or for the program, or NULL when it is unknown. The entries of all
// loaded objects are linked in the order of loading, the program with an empty name first.
const struct link_map *_Nullable csystem_map(void *_Nonnull library);

// Returns whether a library with the name `name` (DT_SONAME), or with that file name, is loaded. Nothing is opened or searched for.
bool csystem_is_loaded(const char *_Nonnull name);

// Loads the libraries that csystem_stack needs, in advance: a library that hangs while it is loaded holds the loader's lock.
CSYSTEM_SHARED void csystem_stack_prepare(void);

// Returns whether the calling thread runs the main queue, or is the initial thread and waits in dispatch_main(). Async-signal-safe.
CSYSTEM_SHARED bool csystem_may_run_main_queue(void);

// Collects the code addresses on the stack of another thread of this process, innermost first. The signal SIGPROF, which no
// thread of libdispatch blocks, asks the thread for them.
//
// thread: the number of the thread as from gettid(), or 0 for the thread that runs the main queue. If no other thread runs it,
// the initial one answers.
// Returns the number of addresses, or 0 if no thread answers within a second; for thread 0, the others have a tenth of a second before.
int csystem_stack(long thread, uintptr_t *_Nonnull addresses, int limit);

// Returns the loader's entry for the program or library that contains an address, or NULL. Async-signal-safe, as the next two.
CSYSTEM_SHARED const struct link_map *_Nullable csystem_image(uintptr_t address);

// Returns the address of a part of a library from its dynamic section, by the tag of its entry, or NULL.
CSYSTEM_SHARED const void *_Nullable csystem_part(const struct link_map *_Nonnull map, long tag);

// Calls `body` with the address of each caller on this thread, innermost first, until it returns false.
CSYSTEM_SHARED void csystem_each_caller(
    bool (*_Nonnull body)(uintptr_t address, void *_Nullable context), void *_Nullable context);

#endif
