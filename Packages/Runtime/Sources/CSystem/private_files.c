#define _GNU_SOURCE
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

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
