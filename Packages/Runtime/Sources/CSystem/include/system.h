#ifndef CSYSTEM_SYSTEM_H
#define CSYSTEM_SYSTEM_H

#include <stdbool.h>

// What Linux has and glibc shows only to _GNU_SOURCE, which Swift's importer does not define.

// Locks a whole open file without waiting, by `kind`: F_RDLCK, F_WRLCK or F_UNLCK. The lock belongs to the open file and
// not to the process, and changes from one kind to another in one step. 0, or -1 with errno.
int csystem_lock(int file, int kind);

// Opens a file that belongs to this process alone, as openat(2) does with O_CLOEXEC and mode 0644: a child made by fork() closes
// it at once, so that no lock on it outlives the process. A descriptor for csystem_close_private, or -1 with errno.
int csystem_open_private(int folder, const char *_Nonnull path, int flags);
// Closes what csystem_open_private has opened.
void csystem_close_private(int file);

// Swaps what two paths name, in one step. 0, or -1 with errno: EINVAL or ENOSYS where that cannot be had.
int csystem_exchange(const char *_Nonnull one, const char *_Nonnull other);

// Keeps everybody from opening a file for writing, or no longer does (fcntl(2), "Leases"). Who tries waits until then, or for as
// long as the system lets him; the signal that tells of it is one that is ignored unless somebody handles it. 0, or -1 with
// errno: EAGAIN when somebody writes already, EACCES or EINVAL where that cannot be had.
int csystem_lease(int file, int isWanted);

// Opens what lies below an open folder, for reading and without waiting. No component of the path may be a link, the last one
// included, and none leads out. A descriptor, or -1 with errno: ELOOP or ENOTDIR for a link, EXDEV for what leads out.
int csystem_open_below(int folder, const char *_Nonnull path);
// The same by one call for each component, where the kernel has none for all of them (before Linux 5.6).
int csystem_open_below_by_steps(int folder, const char *_Nonnull path);

// A Swift symbol's name as its author wrote it, from the runtime library's own demangler; for the caller to free. NULL for a
// name that is not Swift's.
char *_Nullable csystem_demangle(const char *_Nonnull symbol);

// Calls `body` with the path of all that is loaded into the process, in the order of loading; the program itself, which comes
// first, has an empty one. Nothing may be loaded meanwhile. Only on Linux is there anything.
void csystem_each_loaded(
    void (*_Nonnull body)(const char *_Nonnull path, void *_Nonnull context), void *_Nonnull context);

// Whether a library is loaded that calls itself `name` (DT_SONAME), or whose file does. Nothing is opened or searched for. Only on
// Linux is there anything.
bool csystem_is_loaded(const char *_Nonnull name);

// The names of the C library's files, one for each index from 0; NULL after the last.
const char *_Nullable csystem_libc_file(int index);

// The start in memory of what is loaded there, the program or one of its libraries; NULL for memory that nothing was loaded to.
const void *_Nullable csystem_image(const void *_Nonnull address);

// The name that the loader knows a library by, which dlopen() gave; NULL where it does not tell.
const char *_Nullable csystem_loaded_name(void *_Nonnull library);

// What wakes a thread that sleeps in poll(): the end to poll, and the end to write one to, which may be the same. 0, or -1 with
// errno. The first can be read without waiting.
int csystem_wake_open(int ends[_Nonnull 2]);
// Makes the first end readable for good.
void csystem_wake(const int ends[_Nonnull 2]);
void csystem_wake_close(const int ends[_Nonnull 2]);

// What became of something in a folder that is watched.
enum csystem_watch_event {
    csystem_watch_came = 1,
    csystem_watch_went = 2,
    // It is not known what: events were lost, or the folder itself is not where it was. There is no name.
    csystem_watch_lost = 4,
};

// A descriptor that tells what comes to folders and goes from them, to be polled and closed. -1 with errno: EMFILE when this
// user has too many, ENOSYS where there is none; only Linux has.
int csystem_watch_open(void);
// Watches a folder too. Its number, or -1 with errno.
int csystem_watch_add(int watch, const char *_Nonnull folder);
// Watches a folder no more.
void csystem_watch_remove(int watch, int folder);
// Calls `body` with all that has become of what is in the folders, without waiting.
void csystem_watch_take(
    int watch, void (*_Nonnull body)(int folder, int event, const char *_Nonnull name, void *_Nonnull context),
    void *_Nonnull context);

#endif
