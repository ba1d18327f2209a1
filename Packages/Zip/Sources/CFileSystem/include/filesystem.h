#ifndef CFILESYSTEM_FILESYSTEM_H
#define CFILESYSTEM_FILESYSTEM_H

// Linux functions that glibc declares only with _GNU_SOURCE, which Swift's importer does not define.

// Waits until everything that was written to the file system of an open file is on the disk. Returns 0, or -1 with errno, also for writes
// that failed since the file was opened. ENOSYS means that the call doesn't exist.
int cfilesystem_sync(int file);

#endif
