#ifndef CSYSTEM_SYSTEM_H
#define CSYSTEM_SYSTEM_H

// What Linux has and glibc shows only to _GNU_SOURCE, which Swift's importer does not define.

// Locks a whole open file without waiting, by `kind`: F_RDLCK, F_WRLCK or F_UNLCK. The lock belongs to the open file and
// not to the process, and changes from one kind to another in one step. 0, or -1 with errno.
int csystem_lock(int file, int kind);

// Swaps what two paths name, in one step. 0, or -1 with errno: EINVAL or ENOSYS where that can not be had.
int csystem_exchange(const char *_Nonnull one, const char *_Nonnull other);

#endif
