#define _GNU_SOURCE
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int csystem_lock(int file, int kind) {
    struct flock lock = {.l_type = (short)kind, .l_whence = SEEK_SET};
    int status;
    do {
        status = fcntl(file, F_OFD_SETLK, &lock);
    } while (status != 0 && errno == EINTR);
    return status;
}

int csystem_exchange(const char *one, const char *other) {
#ifdef RENAME_EXCHANGE
    return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
#else
    (void)one;
    (void)other;
    errno = ENOSYS;
    return -1;
#endif
}
