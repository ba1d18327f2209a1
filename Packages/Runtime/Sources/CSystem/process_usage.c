#define _GNU_SOURCE
#include "system.h"

#include <dirent.h>
#include <stdio.h>
#include <malloc.h>

long csystem_allocated_bytes(void) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    // Large blocks are mapped on their own and counted apart.
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
#else
    return -1;
#endif
}

static int entries(const char *path) {
    DIR *folder = opendir(path);
    if (!folder) return -1;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] != '.') count += 1;
    }
    closedir(folder);
    return count;
}

int csystem_open_descriptors(void) {
    int count = entries("/proc/self/fd");
    // The folder itself is one of the descriptors.
    return count < 0 ? -1 : count - 1;
}

int csystem_descriptors_of(int process) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd", process);
    return entries(path);
}

int csystem_descriptor_room_of(int process) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/status", process);
    FILE *file = fopen(path, "re");
    if (!file) return -1;
    char line[256];
    int room = -1;
    while (room < 0 && fgets(line, sizeof line, file)) sscanf(line, "FDSize: %d", &room);
    fclose(file);
    return room;
}
