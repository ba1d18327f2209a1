#ifndef CFILESYSTEM_FILESYSTEM_H
#define CFILESYSTEM_FILESYSTEM_H

// What Linux has and glibc shows only to _GNU_SOURCE, which Swift's importer does not define.

// Waits until all that was written to the file system of an open file is on the disk. 0, or -1 with errno: also for what could
// not be written since the file was opened. ENOSYS where there is no such call.
int cfilesystem_sync(int file);

#endif
