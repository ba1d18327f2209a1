#ifndef CSYSTEM_SYSTEM_H
#define CSYSTEM_SYSTEM_H

#include <stdbool.h>

// Linux functions that glibc declares only for _GNU_SOURCE, which Swift's importer doesn't define.

// Locks a whole open file without waiting, by `kind`: F_RDLCK, F_WRLCK or F_UNLCK. The lock belongs to the open file and not to
// the process, and changes from one kind to another atomically. Returns 0, or -1 with errno.
int csystem_lock(int file, int kind);

// Opens a file that belongs to this process alone, as openat(2) does with O_CLOEXEC and mode 0644: a child made by fork()
// closes it at once, so that no lock on it outlives the process. Returns a descriptor for csystem_close_private, or -1 with
// errno.
int csystem_open_private(int folder, const char *_Nonnull path, int flags);
// Closes a descriptor that csystem_open_private has opened.
void csystem_close_private(int file);

// Swaps two paths atomically. Returns 0, or -1 with errno: EINVAL or ENOSYS where that isn't supported.
int csystem_exchange(const char *_Nonnull one, const char *_Nonnull other);

// Makes an empty file share all blocks of another one of the same file system. Returns 0, or -1 with errno where that isn't supported.
int csystem_share_content(int source, int target);
// Returns whether files in a folder can share blocks, by an attempt with two files that have no names.
bool csystem_can_share(const char *_Nonnull folder);
// Copies a file's content into an empty file, and leaves its holes out. Returns 0, or -1 with errno.
int csystem_copy_content(int source, int target);

// Takes or releases a lease on a file (fcntl(2), "Leases"), which keeps every process from opening it for writing. A writer
// waits until the lease is released or the system's time limit has passed; the signal that announces it is ignored by default.
// Returns 0, or -1 with errno: EAGAIN when the file is open for writing, EACCES or EINVAL where leases aren't supported.
int csystem_lease(int file, int isWanted);

// Opens a path below an open folder, for reading and without blocking. No component may be a link, and none may lead out of the
// folder. Returns a descriptor, or -1 with errno: ELOOP or ENOTDIR for a link, EXDEV for a path that leads out.
int csystem_open_below(int folder, const char *_Nonnull path);
// Does the same with one call for each component, for kernels without openat2 (before Linux 5.6).
int csystem_open_below_by_steps(int folder, const char *_Nonnull path);

// Returns a Swift symbol's name as its author wrote it, from the demangler of the runtime library; the caller frees it. Returns
// NULL for a symbol that isn't a Swift symbol.
char *_Nullable csystem_demangle(const char *_Nonnull symbol);

// Calls `body` with the path of every object loaded into the process, in the order of loading; the program itself comes first,
// with an empty path. Nothing may be loaded meanwhile. Does nothing on other systems than Linux.
void csystem_each_loaded(
    void (*_Nonnull body)(const char *_Nonnull path, void *_Nonnull context), void *_Nonnull context);

// Returns whether a library with the name `name` (DT_SONAME), or with that file name, is loaded. Nothing is opened or searched
// for. Always false on other systems than Linux.
bool csystem_is_loaded(const char *_Nonnull name);

// Returns the names of the C library's files, one for each index from 0, and NULL after the last.
const char *_Nullable csystem_libc_file(int index);

// Returns the start of the program or library that contains an address, or NULL when no loaded object does.
const void *_Nullable csystem_image(const void *_Nonnull address);

// Returns the loader's name of a library that dlopen() has opened, or NULL when it is unknown.
const char *_Nullable csystem_loaded_name(void *_Nonnull library);

// Creates a file in memory that has no path and disappears with its last descriptor. Returns the descriptor, or -1 with errno: ENOSYS on other systems than Linux.
int csystem_memory_file(const char *_Nonnull name);

// Makes a file in memory keep its size for ever, and its content if it `is_written`. Returns 0, or -1 with errno.
int csystem_seal(int file, bool is_written);

// Ends this process with its parent `parent`, at once if the parent has ended already, and keeps it from writing a core file.
void csystem_confine(int parent);

// Creates a pair of descriptors that wake a thread in poll(): the first is polled and can be read without blocking, the second
// is written to. Both may be the same. Returns 0, or -1 with errno.
int csystem_wake_open(int ends[_Nonnull 2]);
// Makes the first end readable permanently.
void csystem_wake(const int ends[_Nonnull 2]);
void csystem_wake_close(const int ends[_Nonnull 2]);

// The kinds of events in a watched folder.
enum csystem_watch_event {
    csystem_watch_came = 1,
    csystem_watch_went = 2,
    // Events were lost, or the folder itself was moved or removed. The event has no name.
    csystem_watch_lost = 4,
};

// Opens a descriptor that reports items that appear in folders or disappear from them, to be polled and closed. Returns -1 with
// errno: EMFILE when the user has too many, ENOSYS on other systems than Linux.
int csystem_watch_open(void);
// Adds a folder to the watch. Returns its number, or -1 with errno.
int csystem_watch_add(int watch, const char *_Nonnull folder);
// Removes a folder from the watch.
void csystem_watch_remove(int watch, int folder);
// Calls `body` with every pending event, without blocking.
void csystem_watch_take(
    int watch, void (*_Nonnull body)(int folder, int event, const char *_Nonnull name, void *_Nonnull context),
    void *_Nonnull context);

// Returns the bytes of memory that this process has allocated from the C library and not freed, or -1 if the library doesn't tell.
long csystem_allocated_bytes(void);

// Returns the number of descriptors that this process has open, or -1 if it cannot be determined.
int csystem_open_descriptors(void);
// Returns the number of open descriptors of another process, or -1 if this process may not see it.
int csystem_descriptors_of(int process);
// Returns the number of descriptors for which the kernel has reserved room in a process, which anyone may see; -1 if there is none.
int csystem_descriptor_room_of(int process);

#endif
