#define _GNU_SOURCE
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/openat2.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int csystem_lock(int file, int kind) {
    struct flock lock = {.l_type = (short)kind, .l_whence = SEEK_SET};
    int status;
    do {
        status = fcntl(file, F_OFD_SETLK, &lock);
    } while (status != 0 && errno == EINTR);
    return status;
}

int csystem_sync_file_system(int file) { return syncfs(file); }

int csystem_share_content(int source, int target) {
    return ioctl(target, FICLONE, source);
}

bool csystem_can_share(const char *folder) {
    bool can = false;
    int source = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    int target = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (source >= 0 && target >= 0) can = write(source, "x", 1) == 1 && csystem_share_content(source, target) == 0;
    if (source >= 0) close(source);
    if (target >= 0) close(target);
    return can;
}

// Copies the bytes from `start` to `end`.
static int copy_range(int source, int target, off_t start, off_t end) {
    char buffer[1 << 16];
    while (start < end) {
        size_t wanted = end - start < (off_t)sizeof buffer ? (size_t)(end - start) : sizeof buffer;
        ssize_t count = pread(source, buffer, wanted, start);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count < 0 ? -1 : 0;
        for (ssize_t written = 0; written < count;) {
            ssize_t step = pwrite(target, buffer + written, (size_t)(count - written), start + written);
            if (step < 0 && errno != EINTR) return -1;
            if (step > 0) written += step;
        }
        start += count;
    }
    return 0;
}

int csystem_copy_content(int source, int target) {
    struct stat status;
    if (fstat(source, &status) != 0) return -1;
    for (off_t end = 0; end < status.st_size;) {
        off_t start = lseek(source, end, SEEK_DATA);
        if (start < 0 && errno == ENXIO) break;
        if (start < 0) start = end;
        off_t hole = lseek(source, start, SEEK_HOLE);
        end = hole < 0 ? status.st_size : hole;
        if (copy_range(source, target, start, end) != 0) return -1;
    }
    return ftruncate(target, status.st_size);
}

int csystem_lease(int file, int isWanted) {
    if (isWanted && fcntl(file, F_SETSIG, SIGURG) != 0) return -1;
    return fcntl(file, F_SETLEASE, isWanted ? F_RDLCK : F_UNLCK);
}

int csystem_seal(int file, bool is_written) {
    return fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL | (is_written ? F_SEAL_WRITE : 0));
}

static const int reading = O_RDONLY | O_CLOEXEC | O_NONBLOCK;

int csystem_open_below_by_steps(int folder, const char *path) {
    char name[NAME_MAX + 1];
    int place = folder;
    for (;;) {
        size_t length = strcspn(path, "/");
        int isLast = path[length] == '\0';
        int next = -1;
        if (length > NAME_MAX) {
            errno = ENAMETOOLONG;
        } else {
            memcpy(name, path, length);
            name[length] = '\0';
            if (length == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
                errno = EXDEV;
            } else {
                do {
                    next = openat(place, name, reading | O_NOFOLLOW | (isLast ? 0 : O_DIRECTORY));
                } while (next < 0 && errno == EINTR);
            }
        }
        int number = errno;
        if (place != folder) close(place);
        errno = number;
        if (next < 0 || isLast) return next;
        place = next;
        path += length + 1;
    }
}

int csystem_open_below(int folder, const char *path) {
    struct open_how how = {.flags = (unsigned)reading, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    long file;
    do {
        file = syscall(SYS_openat2, folder, path, &how, sizeof how);
    } while (file < 0 && errno == EINTR);
    // Some container sandboxes reject an unknown system call with EPERM instead of ENOSYS.
    if (file >= 0 || (errno != ENOSYS && errno != EPERM)) return (int)file;
    return csystem_open_below_by_steps(folder, path);
}

// The open files that a child made by fork() closes, in no particular order.
static int *files;
static size_t count, capacity;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// A fork waits while a file is being opened, so the child's list is complete.
static void before_fork(void) {
    pthread_mutex_lock(&mutex);
}

static void in_parent(void) {
    pthread_mutex_unlock(&mutex);
}

static void in_child(void) {
    for (size_t i = 0; i < count; i++) close(files[i]);
    count = 0;
    pthread_mutex_unlock(&mutex);
}

static void prepare(void) {
    pthread_atfork(before_fork, in_parent, in_child);
}

static bool make_room(void) {
    if (count < capacity) return true;
    size_t wanted = capacity ? capacity * 2 : 64;
    int *larger = realloc(files, wanted * sizeof *files);
    if (!larger) return false;
    files = larger;
    capacity = wanted;
    return true;
}

int csystem_open_private(int folder, const char *path, int flags) {
    pthread_once(&once, prepare);
    pthread_mutex_lock(&mutex);
    int file = -1;
    if (make_room()) {
        file = openat(folder, path, flags | O_CLOEXEC, 0644);
        if (file >= 0) files[count++] = file;
    } else {
        errno = ENOMEM;
    }
    int number = errno;
    pthread_mutex_unlock(&mutex);
    errno = number;
    return file;
}

void csystem_close_private(int file) {
    pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < count; i++) {
        if (files[i] != file) continue;
        files[i] = files[--count];
        break;
    }
    close(file);
    pthread_mutex_unlock(&mutex);
}
