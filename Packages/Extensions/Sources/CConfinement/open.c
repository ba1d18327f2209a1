#define _GNU_SOURCE
#include <ctype.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// libdispatch reads /proc/THREAD/stat of its busy threads once a second and ends the process if it cannot. Landlock has no rule for
// folders that do not exist yet, but the same file is in /proc/self/task, which the rules allow. The program with this target defines
// open(2) for all libraries in its process.

static int open_file(const char *path, int flags, unsigned mode) {
    char own[64];
    if (strncmp(path, "/proc/", 6) == 0 && isdigit((unsigned char)path[6])) {
        const char *end = path + 6;
        while (isdigit((unsigned char)*end)) end++;
        if (strcmp(end, "/stat") == 0 && end - path < 20) {
            snprintf(own, sizeof own, "/proc/self/task/%s", path + 6);
            path = own;
        }
    }
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...) {
    unsigned mode = 0;
    if ((flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, unsigned);
        va_end(arguments);
    }
    return open_file(path, flags, mode);
}
