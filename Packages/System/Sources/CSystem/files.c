#define _GNU_SOURCE
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int csystem_lock(int file, int kind) {
    struct flock lock = {.l_type = (short)kind, .l_whence = SEEK_SET};
    int status;
    do {
        status = fcntl(file, F_OFD_SETLK, &lock);
    } while (status != 0 && errno == EINTR);
    return status;
}

bool csystem_can_share(const char *folder) {
    bool can = false;
    int source = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    int target = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (source >= 0 && target >= 0) can = write(source, "x", 1) == 1 && ioctl(target, FICLONE, source) == 0;
    if (source >= 0) close(source);
    if (target >= 0) close(target);
    return can;
}

int csystem_lease(int file, int isWanted) {
    if (isWanted && fcntl(file, F_SETSIG, SIGURG) != 0) return -1;
    return fcntl(file, F_SETLEASE, isWanted ? F_RDLCK : F_UNLCK);
}

// The open files that a child made by fork() closes, by descriptor, and the end of their numbers.
enum { FILES = 1 << 20 };
static bool is_private[FILES];
static int end;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// A fork waits while a file is being opened, so the child knows them all.
static void before_fork(void) { pthread_mutex_lock(&mutex); }

static void in_parent(void) { pthread_mutex_unlock(&mutex); }

static void in_child(void) {
    for (int file = 0; file < end; file++)
        if (is_private[file]) close(file);
    memset(is_private, false, (size_t)end);
    pthread_mutex_unlock(&mutex);
}

static void prepare(void) { pthread_atfork(before_fork, in_parent, in_child); }

int csystem_open_private(int folder, const char *path, int flags) {
    pthread_once(&once, prepare);
    pthread_mutex_lock(&mutex);
    int file = openat(folder, path, flags | O_CLOEXEC, 0644);
    if (file >= FILES) {
        close(file);
        file = -1;
        errno = EMFILE;
    }
    int number = errno;
    if (file >= 0) is_private[file] = true;
    if (file >= end) end = file + 1;
    pthread_mutex_unlock(&mutex);
    errno = number;
    return file;
}

void csystem_close_private(int file) {
    pthread_mutex_lock(&mutex);
    is_private[file] = false;
    close(file);
    pthread_mutex_unlock(&mutex);
}
