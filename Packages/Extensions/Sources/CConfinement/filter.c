#define _GNU_SOURCE
#include "confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/prctl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

// The filter allows a list of system calls. A call that is in no list does not exist for this process (ENOSYS), so a call that a new
// kernel has is denied. libseccomp does not know the calls of newer kernels; they are not needed.

static const char *const allowed[] = {
    // Memory.
    "brk", "madvise", "membarrier", "mincore", "mlock", "mlock2", "mprotect", "mremap", "msync", "munlock", "munmap",
    "pkey_alloc", "pkey_free", "pkey_mprotect",
    // Files. Landlock decides which.
    "access", "chdir", "close", "close_range", "copy_file_range", "creat", "dup", "dup2", "dup3", "faccessat", "faccessat2",
    "fadvise64", "fallocate", "fchdir", "fdatasync", "fgetxattr", "flistxattr", "fstat", "fstatfs", "fsync", "ftruncate",
    "getcwd", "getdents", "getdents64", "getxattr", "lgetxattr", "listxattr", "llistxattr", "lseek", "lstat", "mkdir", "mkdirat",
    "newfstatat", "pread64", "preadv", "preadv2", "pwrite64", "pwritev", "pwritev2", "read", "readahead", "readlink", "readlinkat",
    "readv", "rename", "renameat", "rmdir", "sendfile", "splice", "stat", "statfs", "statx", "sync_file_range",
    "tee", "umask", "unlink", "unlinkat", "write", "writev",
    // Waiting.
    "epoll_create", "epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_pwait2", "epoll_wait", "eventfd", "eventfd2", "futex",
    "futex_requeue", "futex_wait", "futex_waitv", "futex_wake", "pipe", "pipe2", "poll", "ppoll", "pselect6", "select",
    "signalfd", "signalfd4", "timerfd_create", "timerfd_gettime", "timerfd_settime", "wait4", "waitid",
    // Time.
    "alarm", "clock_getres", "clock_gettime", "clock_nanosleep", "getitimer", "gettimeofday", "nanosleep", "pause", "setitimer",
    "time", "timer_create", "timer_delete", "timer_getoverrun", "timer_gettime", "timer_settime", "times",
    // The process itself.
    "arch_prctl", "capget", "exit", "exit_group", "getcpu", "getegid", "geteuid", "getgid", "getgroups", "getpgid", "getpgrp",
    "getpid", "getppid", "getpriority", "getrandom", "getresgid", "getresuid", "getrlimit", "getrusage", "getsid", "gettid", "getuid",
    "restart_syscall", "rseq", "sched_get_priority_max", "sched_get_priority_min", "sched_getaffinity", "sched_getparam",
    "sched_getscheduler", "sched_yield", "set_robust_list", "set_tid_address", "sysinfo", "uname",
    // Signals.
    "rt_sigaction", "rt_sigpending", "rt_sigprocmask", "rt_sigreturn", "rt_sigsuspend", "rt_sigtimedwait", "sigaltstack",
    // Inherited sockets.
    "getpeername", "getsockname", "recvfrom", "recvmmsg", "recvmsg", "sendmmsg", "sendmsg", "sendto", "shutdown",
};

// These calls are denied with EPERM, so that a plugin's author reads "not permitted" and not "not implemented".
static const char *const denied[] = {
    // Other programs and processes.
    "execve", "execveat", "fork", "vfork", "ptrace", "process_vm_readv", "process_vm_writev", "process_madvise", "kcmp",
    "pidfd_open", "pidfd_getfd", "pidfd_send_signal", "tkill", "sched_setattr", "sched_setparam",
    "sched_setscheduler", "ioprio_set", "migrate_pages", "move_pages", "get_robust_list",
    // The system.
    "mount", "umount2", "move_mount", "open_tree", "fsopen", "fsmount", "fsconfig", "fspick", "mount_setattr", "pivot_root", "chroot",
    "init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "swapon", "swapoff", "acct",
    "quotactl", "quotactl_fd", "sethostname", "setdomainname", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex", "syslog",
    "vhangup", "iopl", "ioperm", "sync", "syncfs",
    // Parts of the kernel with a large interface.
    "bpf", "perf_event_open", "userfaultfd", "io_uring_setup", "io_uring_enter", "io_uring_register", "add_key", "request_key",
    "keyctl", "unshare", "setns", "personality", "modify_ldt", "vmsplice", "seccomp", "memfd_secret", "lookup_dcookie", "uselib",
    // Rights of this process.
    "setuid", "setgid", "setreuid", "setregid", "setresuid", "setresgid", "setgroups", "setfsuid", "setfsgid", "capset", "setrlimit",
    "setpgid", "setsid",
    // Landlock covers none of these.
    "chmod", "fchmodat", "fchmodat2", "chown", "fchown", "fchownat", "lchown", "setxattr", "lsetxattr", "fsetxattr",
    "removexattr", "lremovexattr", "fremovexattr", "utime", "utimes", "futimesat", "utimensat", "inotify_init", "inotify_init1",
    "flock", "inotify_add_watch", "fanotify_init", "fanotify_mark", "name_to_handle_at", "open_by_handle_at",
    // Links lead programs of the user to other places, and special files block them.
    "link", "linkat", "symlink", "symlinkat", "mknod", "mknodat",
    // Memory beyond the limit, and memory shared with others.
    "memfd_create", "shmget", "shmat", "shmctl", "shmdt", "msgget", "msgsnd", "msgrcv", "msgctl", "semget", "semop", "semctl",
    "semtimedop", "mq_open", "mq_unlink", "mq_notify", "mq_timedsend", "mq_timedreceive", "mq_getsetattr",
    // Connections.
    "listen", "accept", "accept4",
};

static const uint64_t controls[] = {TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX};

// F_SETOWN and F_SETSIG would send signals to other processes, and leases would block them.
static const uint64_t descriptor_commands[] = {
    F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK,
    F_OFD_SETLKW, F_GETPIPE_SZ, F_GET_SEALS, F_ADD_SEALS,
};

// Other options attach filters, hand out descriptors of other processes, or reach rarely used code of the kernel.
static const struct {
    uint64_t level, name;
} socket_options[] = {
    {SOL_SOCKET, SO_REUSEADDR}, {SOL_SOCKET, SO_BROADCAST}, {SOL_SOCKET, SO_SNDBUF}, {SOL_SOCKET, SO_RCVBUF},
    {SOL_SOCKET, SO_KEEPALIVE}, {SOL_SOCKET, SO_LINGER}, {SOL_SOCKET, SO_RCVTIMEO}, {SOL_SOCKET, SO_SNDTIMEO},
    {SOL_SOCKET, SO_RCVLOWAT}, {IPPROTO_IP, IP_TOS}, {IPPROTO_IP, IP_TTL}, {IPPROTO_IP, IP_RECVERR}, {IPPROTO_IP, IP_PKTINFO},
    {IPPROTO_IP, IP_MTU_DISCOVER}, {IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT}, {IPPROTO_IPV6, IPV6_V6ONLY},
    {IPPROTO_IPV6, IPV6_RECVERR}, {IPPROTO_IPV6, IPV6_TCLASS}, {IPPROTO_IPV6, IPV6_UNICAST_HOPS},
    {IPPROTO_IPV6, IPV6_MTU_DISCOVER}, {IPPROTO_IPV6, IPV6_RECVPKTINFO}, {IPPROTO_TCP, TCP_NODELAY}, {IPPROTO_TCP, TCP_MAXSEG},
    {IPPROTO_TCP, TCP_CORK}, {IPPROTO_TCP, TCP_KEEPIDLE}, {IPPROTO_TCP, TCP_KEEPINTVL}, {IPPROTO_TCP, TCP_KEEPCNT},
    {IPPROTO_TCP, TCP_SYNCNT}, {IPPROTO_TCP, TCP_QUICKACK}, {IPPROTO_TCP, TCP_USER_TIMEOUT}, {IPPROTO_TCP, TCP_FASTOPEN_CONNECT},
    {IPPROTO_TCP, TCP_NOTSENT_LOWAT},
}, read_socket_options[] = {
    {SOL_SOCKET, SO_ERROR}, {SOL_SOCKET, SO_TYPE}, {SOL_SOCKET, SO_DOMAIN}, {SOL_SOCKET, SO_PROTOCOL}, {SOL_SOCKET, SO_ACCEPTCONN},
    {IPPROTO_IP, IP_MTU}, {IPPROTO_IPV6, IPV6_MTU}, {IPPROTO_TCP, TCP_INFO},
};

#ifndef RENAME_WHITEOUT
#define RENAME_WHITEOUT (1 << 2)
#endif

#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif

static const uint64_t process_options[] = {
    PR_SET_NAME, PR_GET_NAME, PR_GET_DUMPABLE, PR_GET_PDEATHSIG, PR_GET_SECCOMP, PR_GET_NO_NEW_PRIVS, PR_CAPBSET_READ, PR_SET_VMA,
};

static const uint64_t namespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;

struct filter {
    scmp_filter_ctx context;
    // The name of the first refused call.
    const char *refused;
    int number;
};

static void add(struct filter *filter, uint32_t action, const char *name, unsigned count, const struct scmp_arg_cmp *conditions) {
    if (filter->number != 0) return;
    int call = seccomp_syscall_resolve_name(name);
    // The default denies calls that this libseccomp does not know.
    if (call == __NR_SCMP_ERROR) return;
    int status = seccomp_rule_add_array(filter->context, action, call, count, conditions);
    if (status == 0) return;
    filter->refused = name;
    filter->number = -status;
}

static void allow(struct filter *filter, const char *name) { add(filter, SCMP_ACT_ALLOW, name, 0, NULL); }
static void deny(struct filter *filter, const char *name) { add(filter, SCMP_ACT_ERRNO(EPERM), name, 0, NULL); }

static void allow_if(struct filter *filter, const char *name, struct scmp_arg_cmp condition) {
    add(filter, SCMP_ACT_ALLOW, name, 1, &condition);
}

static void deny_if(struct filter *filter, const char *name, struct scmp_arg_cmp condition) {
    add(filter, SCMP_ACT_ERRNO(EPERM), name, 1, &condition);
}

static void allow_if_both(struct filter *filter, const char *name, struct scmp_arg_cmp one, struct scmp_arg_cmp other) {
    struct scmp_arg_cmp conditions[] = {one, other};
    add(filter, SCMP_ACT_ALLOW, name, 2, conditions);
}

static void allow_values(struct filter *filter, const char *name, unsigned argument, const uint64_t *values, size_t count) {
    for (size_t index = 0; index < count; index++) {
        allow_if(filter, name, SCMP_CMP(argument, SCMP_CMP_EQ, values[index]));
    }
}

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

static void add_conditional(struct filter *filter, int version, bool network) {
    // fchmod(2) has no effect: a file that may only be read must keep its mode, but Foundation copies no file without the call.
    add(filter, SCMP_ACT_ERRNO(0), "fchmod", 0, NULL);

    // Threads, but no processes: the filter must do this, because RLIMIT_NPROC does not apply to root. clone3(2) has its flags in
    // memory, where no filter sees them; the default sends the C library to clone(2).
    allow_if(filter, "clone", SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD | namespaces, CLONE_THREAD));

    uint64_t self = (uint64_t)getpid();
    for (const char *const *name = (const char *const[]){"kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", NULL}; *name; name++) {
        allow_if(filter, *name, SCMP_A0(SCMP_CMP_EQ, self));
        deny_if(filter, *name, SCMP_A0(SCMP_CMP_NE, self));
    }
    // A thread may change its own processor and priority.
    allow_if(filter, "sched_setaffinity", SCMP_A0(SCMP_CMP_EQ, 0));
    deny_if(filter, "sched_setaffinity", SCMP_A0(SCMP_CMP_NE, 0));
    allow_if_both(filter, "setpriority", SCMP_A0(SCMP_CMP_EQ, PRIO_PROCESS), SCMP_A1(SCMP_CMP_EQ, 0));
    deny_if(filter, "setpriority", SCMP_A1(SCMP_CMP_NE, 0));
    // Reading limits, also those of other processes of the user.
    allow_if(filter, "prlimit64", SCMP_A2(SCMP_CMP_EQ, 0));
    deny_if(filter, "prlimit64", SCMP_A2(SCMP_CMP_NE, 0));

    // Memory that is private, and files. The limits of data do not count anonymous memory that is shared or grows by itself.
    uint64_t type = MAP_PRIVATE | MAP_SHARED | MAP_SHARED_VALIDATE;
    allow_if(filter, "mmap", SCMP_A3(SCMP_CMP_MASKED_EQ, type | MAP_GROWSDOWN | MAP_HUGETLB, MAP_PRIVATE));
    const uint64_t shared[] = {MAP_SHARED, MAP_SHARED_VALIDATE};
    for (size_t index = 0; index < COUNT(shared); index++) {
        allow_if(filter, "mmap", SCMP_A3(SCMP_CMP_MASKED_EQ, type | MAP_GROWSDOWN | MAP_HUGETLB | MAP_ANONYMOUS, shared[index]));
        deny_if(
            filter, "mmap", SCMP_A3(SCMP_CMP_MASKED_EQ, type | MAP_GROWSDOWN | MAP_HUGETLB | MAP_ANONYMOUS, shared[index] | MAP_ANONYMOUS));
    }
    const uint64_t unlimited[] = {MAP_GROWSDOWN, MAP_HUGETLB, MAP_GROWSDOWN | MAP_HUGETLB};
    for (size_t index = 0; index < COUNT(unlimited); index++) {
        deny_if(filter, "mmap", SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_GROWSDOWN | MAP_HUGETLB, unlimited[index]));
    }
    // A whiteout is a device.
    allow_if(filter, "renameat2", SCMP_A4(SCMP_CMP_MASKED_EQ, RENAME_WHITEOUT, 0));
    deny_if(filter, "renameat2", SCMP_A4(SCMP_CMP_MASKED_EQ, RENAME_WHITEOUT, RENAME_WHITEOUT));

    for (size_t index = 0; index < COUNT(socket_options); index++) {
        struct scmp_arg_cmp level = SCMP_A1(SCMP_CMP_EQ, socket_options[index].level);
        struct scmp_arg_cmp name = SCMP_A2(SCMP_CMP_EQ, socket_options[index].name);
        allow_if_both(filter, "setsockopt", level, name);
        allow_if_both(filter, "getsockopt", level, name);
    }
    for (size_t index = 0; index < COUNT(read_socket_options); index++) {
        allow_if_both(
            filter, "getsockopt", SCMP_A1(SCMP_CMP_EQ, read_socket_options[index].level),
            SCMP_A2(SCMP_CMP_EQ, read_socket_options[index].name));
    }
    allow_values(filter, "ioctl", 1, controls, COUNT(controls));
    allow_values(filter, "fcntl", 1, descriptor_commands, COUNT(descriptor_commands));
    allow_values(filter, "prctl", 0, process_options, COUNT(process_options));
    // confinement_follow_parent() comes after the filter.
    allow_if_both(filter, "prctl", SCMP_A0(SCMP_CMP_EQ, PR_SET_PDEATHSIG), SCMP_A1(SCMP_CMP_EQ, SIGKILL));

    // Before version 3, Landlock lets a process empty each file that it may open for reading.
    if (version >= 3) {
        allow(filter, "open");
        allow(filter, "openat");
        allow(filter, "openat2");
        allow(filter, "truncate");
    } else {
        uint64_t mask = O_ACCMODE | O_TRUNC;
        const uint64_t modes[] = {O_RDONLY, O_WRONLY, O_RDWR, O_WRONLY | O_TRUNC, O_RDWR | O_TRUNC};
        for (size_t index = 0; index < COUNT(modes); index++) {
            allow_if(filter, "open", SCMP_A1(SCMP_CMP_MASKED_EQ, mask, modes[index]));
            allow_if(filter, "openat", SCMP_A2(SCMP_CMP_MASKED_EQ, mask, modes[index]));
        }
        deny(filter, "truncate");
    }

    if (network) {
        const uint64_t families[] = {AF_INET, AF_INET6}, types[] = {SOCK_STREAM, SOCK_DGRAM};
        for (size_t index = 0; index < 4; index++) {
            allow_if_both(
                filter, "socket", SCMP_A0(SCMP_CMP_EQ, families[index / 2]),
                SCMP_A1(SCMP_CMP_MASKED_EQ, 0xf, types[index % 2]));
        }
        allow(filter, "bind");
        allow(filter, "connect");
        // libcurl wakes its thread for names through a pair.
        allow_if_both(
            filter, "socketpair", SCMP_A0(SCMP_CMP_EQ, AF_UNIX), SCMP_A1(SCMP_CMP_MASKED_EQ, 0xf, SOCK_STREAM));
    } else {
        deny(filter, "socket");
        deny(filter, "socketpair");
        deny(filter, "bind");
        deny(filter, "connect");
    }
}

int confinement_filter_load(int version, bool network, const char **call) {
    struct filter filter = {.context = seccomp_init(SCMP_ACT_ERRNO(ENOSYS))};
    *call = NULL;
    if (filter.context == NULL) {
        errno = ENOMEM;
        return -1;
    }
    // A call of another architecture, or of the x32 interface, would have another meaning by the same number.
    int status = seccomp_attr_set(filter.context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    for (size_t index = 0; index < COUNT(allowed); index++) allow(&filter, allowed[index]);
    for (size_t index = 0; index < COUNT(denied); index++) deny(&filter, denied[index]);
    add_conditional(&filter, version, network);
    if (status == 0) status = -filter.number;
    // libseccomp before 2.5 has no search tree, and its filter is only slower.
    if (status == 0) seccomp_attr_set(filter.context, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    if (status == 0) status = seccomp_load(filter.context);
    *call = filter.refused;
    seccomp_release(filter.context);
    if (status == 0) return 0;
    errno = -status;
    return -1;
}
