#define _GNU_SOURCE
#include "observed_writes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#if defined(__x86_64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

// System calls that change the file at a path, by the places of their arguments. A call with two paths is in two groups.
struct group {
    // The argument with the descriptor of the folder to which the path is relative; -1 for the working folder.
    int folder;
    int path;
    // The numbers of the calls, up to a 0, which is none of these.
    int calls[16];
};

static const struct group groups[] = {
#ifdef SYS_open
    {-1, 0, {SYS_open, SYS_creat, SYS_mkdir, SYS_mknod, SYS_rename, SYS_unlink, SYS_rmdir, SYS_chmod}},
    {-1, 0, {SYS_chown, SYS_lchown, SYS_utime, SYS_utimes}},
    {-1, 1, {SYS_rename, SYS_link, SYS_symlink}},
    {0, 1, {SYS_futimesat}},
#endif
#ifdef SYS_renameat
    {0, 1, {SYS_renameat}},
    {2, 3, {SYS_renameat}},
#endif
    {-1, 0, {SYS_truncate, SYS_setxattr, SYS_lsetxattr, SYS_removexattr, SYS_lremovexattr}},
    {0, 1, {SYS_openat, SYS_openat2, SYS_mkdirat, SYS_mknodat, SYS_renameat2, SYS_unlinkat, SYS_fchmodat}},
    {0, 1, {SYS_fchownat, SYS_utimensat}},
    {1, 2, {SYS_symlinkat}},
    {2, 3, {SYS_renameat2, SYS_linkat}},
    // The path is in the address of a socket.
    {-1, 1, {SYS_bind}},
};

enum { group_count = sizeof groups / sizeof groups[0], writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC };

static int listener = -1;
static sem_t has_listener;
static char ignored_folder[PATH_MAX];
// The file in memory to which the thread writes the paths.
static int noted = -1;

static void note(const char *path) {
    size_t ignored = strlen(ignored_folder);
    if (strncmp(path, ignored_folder, ignored) == 0 && (path[ignored] == '/' || path[ignored] == 0)) return;
    dprintf(noted, "%s%c", path, 0);
}

// Reads memory of a process, as far as it exists.
static ssize_t read_memory(pid_t process, uint64_t address, void *buffer, size_t size) {
    char file[64];
    snprintf(file, sizeof file, "/proc/%d/mem", process);
    int memory = open(file, O_RDONLY | O_CLOEXEC);
    ssize_t count = pread(memory, buffer, size, (off_t)address);
    close(memory);
    return count;
}

// Notes the path of a file relative to a folder of a process, with the links of its folder followed.
static void note_file(pid_t process, int folder, const char *text) {
    char link[64], joined[2 * PATH_MAX] = "", parent[PATH_MAX], path[3 * PATH_MAX];
    snprintf(link, sizeof link, folder == AT_FDCWD ? "/proc/%d/cwd" : "/proc/%d/fd/%d", process, folder);
    if (text[0] != '/' && readlink(link, joined, PATH_MAX - 1) < 0) return note("?");
    if (text[0] == 0) return note(joined);
    if (text[0] != '/') strcat(joined, "/");
    strncat(joined, text, PATH_MAX - 1);
    for (size_t last = strlen(joined) - 1; last > 0 && joined[last] == '/'; last--) joined[last] = 0;
    const char *name = strrchr(joined, '/');
    snprintf(path, sizeof path, "%.*s/", (int)(name - joined), joined);
    if (realpath(path, parent) == NULL) return note(joined);
    snprintf(path, sizeof path, "%s%s", strcmp(parent, "/") == 0 ? "" : parent, name);
    note(path);
}

static void note_path(pid_t process, const struct seccomp_data *data, const struct group *call) {
    uint64_t address = data->args[call->path];
    int folder = call->folder < 0 ? AT_FDCWD : (int)data->args[call->folder];
    char text[PATH_MAX] = "";
    // Without a path, a call means the file of the descriptor.
    ssize_t count = address == 0 ? 1 : read_memory(process, address, text, sizeof text);
    if (count <= 0 || memchr(text, 0, (size_t)count) == NULL) return note("?");
    note_file(process, folder, text);
}

static void note_socket(pid_t process, const struct seccomp_data *data) {
    struct sockaddr_un address = {.sun_family = AF_UNSPEC};
    size_t size = data->args[2] < sizeof address ? (size_t)data->args[2] : sizeof address;
    // A name in the abstract namespace is no file.
    if (read_memory(process, data->args[1], &address, size) < 0 || address.sun_family != AF_UNIX || address.sun_path[0] == 0) return;
    char text[sizeof address.sun_path + 1] = "";
    memcpy(text, address.sun_path, sizeof address.sun_path);
    note_file(process, AT_FDCWD, text);
}

// Returns the flags of a call to open(2), or those for writing if a call changes a file whatever its arguments are.
static uint64_t flags_of(pid_t process, const struct seccomp_data *data) {
    uint64_t flags = writing;
#ifdef SYS_open
    if (data->nr == SYS_open) return data->args[1];
#endif
    if (data->nr == SYS_openat) return data->args[2];
    // Its flags are in memory.
    if (data->nr == SYS_openat2) read_memory(process, data->args[2], &flags, sizeof flags);
    return flags;
}

static void note_call(const struct seccomp_notif *notification) {
    pid_t process = (pid_t)notification->pid;
    const struct seccomp_data *data = &notification->data;
    if (data->nr == SYS_bind) return note_socket(process, data);
    if ((flags_of(process, data) & writing) == 0) return;
    for (int index = 0; index < group_count; index++) {
        for (const int *call = groups[index].calls; *call != 0; call++) {
            if (*call == data->nr) note_path(process, data, &groups[index]);
        }
    }
}

static void *answer(void *nothing) {
    (void)nothing;
    while (sem_wait(&has_listener) != 0) {}
    for (;;) {
        struct seccomp_notif notification = {0};
        if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &notification) != 0) {
            // A signal, or a process that has ended meanwhile.
            if (errno == EINTR || errno == ENOENT) continue;
            return NULL;
        }
        note_call(&notification);
        struct seccomp_notif_resp response = {.id = notification.id, .flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE};
        ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &response);
    }
}

// Loads a filter that lets the kernel ask about the calls, and returns the descriptor for that.
static int load_filter(void) {
    struct sock_filter code[2 * sizeof groups / sizeof(int) + 5] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE_ARCHITECTURE, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    };
    unsigned short count = 4;
    for (int index = 0; index < group_count; index++) {
        for (const int *call = groups[index].calls; *call != 0; call++) {
            code[count++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)*call, 0, 1);
            code[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
        }
    }
    code[count++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {.len = count, .filter = code};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
}

int observed_writes_observe(const char *ignored) {
    // A filter holds for one thread, and for those that it starts.
    struct stat status;
    if (stat("/proc/self/task", &status) != 0) return -1;
    if (status.st_nlink != 3) {
        errno = EBUSY;
        return -1;
    }
    snprintf(ignored_folder, sizeof ignored_folder, "%s", ignored);
    noted = memfd_create("observed-writes", MFD_CLOEXEC);
    if (noted < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || sem_init(&has_listener, 0, 0) != 0) return -1;
    // The thread that answers must not be asked itself, so it starts before the filter is loaded.
    pthread_t thread;
    errno = pthread_create(&thread, NULL, answer, NULL);
    if (errno != 0) return -1;
    pthread_detach(thread);
    listener = load_filter();
    if (listener < 0) return -1;
    sem_post(&has_listener);
    return noted;
}
