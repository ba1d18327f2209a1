#define _GNU_SOURCE
#include "baseline.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdbool.h>
#include <stddef.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void *baseline_load(const char *path, const char *symbol) {
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return library ? dlsym(library, symbol) : NULL;
}

const void *baseline_load_and_call(const char *path, const char *symbol) {
    void *function = baseline_load(path, symbol);
    return function ? ((const void *(*)(void))function)() : NULL;
}

// Transfers a whole message. Returns false at the end of the connection.
static bool receive_all(int socket, char *bytes, int size) {
    for (int count = 0; count < size;) {
        ssize_t part = read(socket, bytes + count, (size_t)(size - count));
        if (part <= 0) return false;
        count += (int)part;
    }
    return true;
}
static bool send_all(int socket, const char *bytes, int size) {
    for (int count = 0; count < size;) {
        ssize_t part = write(socket, bytes + count, (size_t)(size - count));
        if (part <= 0) return false;
        count += (int)part;
    }
    return true;
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

double baseline_exchange(int rounds, int size) {
    int ends[2];
    char *bytes = calloc(1, (size_t)size);
    if (bytes == NULL || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        while (receive_all(ends[1], bytes, size) && send_all(ends[1], bytes, size)) continue;
        _exit(0);
    }
    close(ends[1]);
    bool is_whole = child > 0;
    double start = now();
    for (int round = 0; round < rounds && is_whole; round++) {
        is_whole = send_all(ends[0], bytes, size) && receive_all(ends[0], bytes, size);
    }
    double time = now() - start;
    close(ends[0]);
    if (child > 0) waitpid(child, NULL, 0);
    free(bytes);
    return is_whole ? time / rounds : -1;
}

int baseline_start_on_terminal(const char *path, char *const arguments[], char *const variables[], unsigned short columns, unsigned short rows, int *process) {
    struct winsize size = {.ws_row = rows, .ws_col = columns};
    int terminal = -1, other = -1;
    char name[128];
    if (openpty(&terminal, &other, NULL, NULL, &size) != 0) return -1;
    fcntl(terminal, F_SETFD, FD_CLOEXEC);
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t actions;
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&actions);
    // The first terminal that the leader of a session opens is its own one. A fork would copy the page tables of a large benchmark first.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
    int error = ttyname_r(other, name, sizeof name);
    close(other);
    if (error == 0) {
        posix_spawn_file_actions_addopen(&actions, 0, name, O_RDWR, 0);
        posix_spawn_file_actions_adddup2(&actions, 0, 1);
        posix_spawn_file_actions_adddup2(&actions, 0, 2);
    }
    pid_t child = -1;
    if (error == 0) error = posix_spawn(&child, path, &actions, &attributes, arguments, variables);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) {
        close(terminal);
        errno = error;
        return -1;
    }
    *process = child;
    return terminal;
}
