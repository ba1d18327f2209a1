#define _GNU_SOURCE
#include "system.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// Room for the descriptors of one message.
union control {
    char bytes[CMSG_SPACE(CSYSTEM_SOCKET_FILES * sizeof(int))];
    struct cmsghdr header;
};

long csystem_send(int socket, const void *bytes, size_t count, const int *files, int file_count, bool waits) {
    struct iovec part = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    union control control;
    if (file_count > 0) {
        size_t size = (size_t)file_count * sizeof(int);
        memset(&control, 0, sizeof control);
        message.msg_control = control.bytes;
        message.msg_controllen = CMSG_SPACE(size);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(size);
        memcpy(CMSG_DATA(header), files, size);
    }
    long sent;
    do {
        sent = sendmsg(socket, &message, MSG_NOSIGNAL | (waits ? 0 : MSG_DONTWAIT));
    } while (sent < 0 && errno == EINTR);
    return sent;
}

long csystem_receive(
    int socket, void *bytes, size_t count, int files[CSYSTEM_SOCKET_FILES], int *file_count, bool waits) {
    struct iovec part = {.iov_base = bytes, .iov_len = count};
    union control control;
    struct msghdr message;
    long received;
    do {
        message = (struct msghdr){
            .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
        received = recvmsg(socket, &message, MSG_CMSG_CLOEXEC | (waits ? 0 : MSG_DONTWAIT));
    } while (received < 0 && errno == EINTR);
    *file_count = 0;
    if (received < 0) return received;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        int found = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        for (int index = 0; index < found; index++) {
            int file;
            memcpy(&file, CMSG_DATA(header) + (size_t)index * sizeof file, sizeof file);
            if (*file_count < CSYSTEM_SOCKET_FILES) {
                files[(*file_count)++] = file;
            } else {
                close(file);
            }
        }
    }
    if (message.msg_flags & MSG_CTRUNC) {
        for (int index = 0; index < *file_count; index++) close(files[index]);
        *file_count = -1;
    }
    return received;
}

// The first number for copies of descriptors, above those that a program inherits.
static const int first_copy = 64;

struct start {
    const char *program;
    char *const *arguments;
    char *const *environment;
    const int *files;
    int file_count;
    int output;
    bool is_detached;
    pid_t process;
    int error;
    bool is_done;
    struct start *next;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static struct start *waiting;
static bool is_running;

// Starts the program with copies of the descriptors, so that no copy replaces one that is still needed.
static int start_with(struct start *start, const int *copies) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return error;
    }
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    short flags = POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
    if (start->is_detached) flags |= POSIX_SPAWN_SETSID;
    posix_spawnattr_setflags(&attributes, flags);
    error = posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    for (int end = STDOUT_FILENO; end <= STDERR_FILENO && error == 0; end++) {
        error = start->output >= 0 ? posix_spawn_file_actions_adddup2(&actions, copies[start->file_count], end)
                                   : posix_spawn_file_actions_addopen(&actions, end, "/dev/null", O_WRONLY, 0);
    }
    for (int index = 0; index < start->file_count && error == 0; index++) {
        error = posix_spawn_file_actions_adddup2(&actions, copies[index], 3 + index);
    }
#if defined(__GLIBC__) && (__GLIBC__ > 2 || (__GLIBC__ == 2 && __GLIBC_MINOR__ >= 34))
    if (error == 0) error = posix_spawn_file_actions_addclosefrom_np(&actions, 3 + start->file_count);
#endif
    if (error == 0) {
        error = posix_spawn(
            &start->process, start->program, &actions, &attributes, start->arguments, start->environment);
    }
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

static void run(struct start *start) {
    int copies[CSYSTEM_SOCKET_FILES + 1];
    int count = 0;
    start->error = 0;
    for (int index = 0; index < start->file_count + (start->output >= 0) && start->error == 0; index++) {
        int file = index < start->file_count ? start->files[index] : start->output;
        copies[count] = fcntl(file, F_DUPFD_CLOEXEC, first_copy);
        if (copies[count] < 0) start->error = errno;
        else count++;
    }
    if (start->error == 0) start->error = start_with(start, copies);
    while (count > 0) close(copies[--count]);
}

static void *starter(void *unused) {
    (void)unused;
    pthread_mutex_lock(&mutex);
    for (;;) {
        while (!waiting) pthread_cond_wait(&changed, &mutex);
        struct start *start = waiting;
        waiting = start->next;
        pthread_mutex_unlock(&mutex);
        run(start);
        pthread_mutex_lock(&mutex);
        start->is_done = true;
        pthread_cond_broadcast(&changed);
    }
    return NULL;
}

static int begin_starter(void) {
    if (is_running) return 0;
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    // The thread handles no signals; those are for the threads of the host.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = pthread_create(&thread, &attributes, starter, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    is_running = error == 0;
    return error;
}

int csystem_spawn(
    const char *program, char *const *arguments, char *const *environment, const int *files, int file_count, int output,
    bool is_detached, int *process) {
    if (file_count > CSYSTEM_SOCKET_FILES) return EINVAL;
    struct start start = {
        .program = program,
        .arguments = arguments,
        .environment = environment,
        .files = files,
        .file_count = file_count,
        .output = output,
        .is_detached = is_detached,
    };
    pthread_mutex_lock(&mutex);
    int error = begin_starter();
    if (error == 0) {
        struct start **last = &waiting;
        while (*last) last = &(*last)->next;
        *last = &start;
        pthread_cond_broadcast(&changed);
        while (!start.is_done) pthread_cond_wait(&changed, &mutex);
        error = start.error;
    }
    pthread_mutex_unlock(&mutex);
    *process = start.process;
    return error;
}

int csystem_open_process(int process) { return (int)syscall(SYS_pidfd_open, process, 0); }

void csystem_confine(int parent) {
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) raise(SIGKILL);
}

void csystem_signal_threads(int process, int number) {
    char path[32];
    snprintf(path, sizeof path, "/proc/%d/task", process);
    DIR *folder = opendir(path);
    if (!folder) return;
    struct dirent *entry;
    while ((entry = readdir(folder))) {
        long thread = atol(entry->d_name);
        if (thread > 0 && thread != process && thread != gettid()) syscall(SYS_tgkill, process, thread, number);
    }
    closedir(folder);
}

long csystem_allocated_bytes(void) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
    // Large blocks are mapped on their own and counted apart.
    struct mallinfo2 info = mallinfo2();
    return (long)(info.uordblks + info.hblkhd);
#else
    return -1;
#endif
}
