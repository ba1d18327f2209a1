#define _GNU_SOURCE
#include "system.h"

#include <dirent.h>
#if defined(__linux__)
#include <malloc.h>
#endif

long csystem_allocated_bytes(void) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    // Large blocks are mapped on their own and counted apart.
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
#else
    return -1;
#endif
}

int csystem_open_descriptors(void) {
    DIR *folder = opendir("/proc/self/fd");
    if (!folder) return -1;
    // The folder itself is one of the descriptors.
    int count = -1;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] != '.') count += 1;
    }
    closedir(folder);
    return count;
}
