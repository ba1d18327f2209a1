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

static const char allowed[] =
    // Memory.
    "brk madvise membarrier mincore mlock mlock2 mprotect mremap msync munlock munmap pkey_alloc pkey_free pkey_mprotect "
    // Files. Landlock decides which.
    "access chdir close close_range copy_file_range creat dup dup2 dup3 faccessat faccessat2 fadvise64 fallocate fchdir "
    "fdatasync fgetxattr flistxattr fstat fstatfs fsync ftruncate getcwd getdents getdents64 getxattr lgetxattr listxattr "
    "llistxattr lseek lstat mkdir mkdirat newfstatat pread64 preadv preadv2 pwrite64 pwritev pwritev2 read readahead readlink "
    "readlinkat readv rename renameat rmdir sendfile splice stat statfs statx sync_file_range tee umask unlink unlinkat write "
    "writev "
    // Waiting.
    "epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 futex futex_requeue futex_wait "
    "futex_waitv futex_wake pipe pipe2 poll ppoll pselect6 select signalfd signalfd4 timerfd_create timerfd_gettime "
    "timerfd_settime wait4 waitid "
    // Time.
    "alarm clock_getres clock_gettime clock_nanosleep getitimer gettimeofday nanosleep pause setitimer time timer_create "
    "timer_delete timer_getoverrun timer_gettime timer_settime times "
    // The process itself.
    "arch_prctl capget exit exit_group getcpu getegid geteuid getgid getgroups getpgid getpgrp getpid getppid getpriority "
    "getrandom getresgid getresuid getrlimit getrusage getsid gettid getuid restart_syscall rseq sched_get_priority_max "
    "sched_get_priority_min sched_getaffinity sched_getparam sched_getscheduler sched_yield set_robust_list set_tid_address "
    "sysinfo uname "
    // Signals.
    "rt_sigaction rt_sigpending rt_sigprocmask rt_sigreturn rt_sigsuspend rt_sigtimedwait sigaltstack "
    // Inherited sockets.
    "getpeername getsockname recvfrom recvmmsg recvmsg sendmmsg sendmsg sendto shutdown";

// These calls are denied with EPERM, so that a plugin's author reads "not permitted" and not "not implemented".
static const char denied[] =
    // Other programs and processes.
    "execve execveat fork vfork ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_open pidfd_getfd "
    "pidfd_send_signal tkill sched_setattr sched_setparam sched_setscheduler ioprio_set migrate_pages move_pages "
    "get_robust_list "
    // The system.
    "mount umount2 move_mount open_tree fsopen fsmount fsconfig fspick mount_setattr pivot_root chroot init_module finit_module "
    "delete_module kexec_load kexec_file_load reboot swapon swapoff acct quotactl quotactl_fd sethostname setdomainname "
    "settimeofday clock_settime clock_adjtime adjtimex syslog vhangup iopl ioperm sync syncfs "
    // Parts of the kernel with a large interface.
    "bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register add_key request_key keyctl unshare setns "
    "personality modify_ldt vmsplice seccomp memfd_secret lookup_dcookie uselib "
    // Rights of this process.
    "setuid setgid setreuid setregid setresuid setresgid setgroups setfsuid setfsgid capset setrlimit setpgid setsid "
    // Landlock covers none of these.
    "chmod fchmodat fchmodat2 chown fchown fchownat lchown setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr "
    "utime utimes futimesat utimensat inotify_init inotify_init1 flock inotify_add_watch fanotify_init fanotify_mark "
    "name_to_handle_at open_by_handle_at "
    // Links lead programs of the user to other places, and special files block them.
    "link linkat symlink symlinkat mknod mknodat "
    // Memory beyond the limit, and memory shared with others.
    "memfd_create shmget shmat shmctl shmdt msgget msgsnd msgrcv msgctl semget semop semctl semtimedop mq_open mq_unlink "
    "mq_notify mq_timedsend mq_timedreceive mq_getsetattr "
    // Connections.
    "listen accept accept4";

static const uint64_t controls[] = {TCGETS, TIOCGWINSZ, FIONREAD, FIONBIO, FIOCLEX, FIONCLEX};

// F_SETOWN and F_SETSIG would send signals to other processes, and leases would block them.
static const uint64_t descriptor_commands[] = {
    F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_SETFL, F_GETLK, F_SETLK, F_SETLKW, F_OFD_GETLK, F_OFD_SETLK,
    F_OFD_SETLKW, F_GETPIPE_SZ, F_GET_SEALS, F_ADD_SEALS,
};

#define SOCKET(name) {SOL_SOCKET, SO_##name}
#define IP(name) {IPPROTO_IP, IP_##name}
#define IPV6(name) {IPPROTO_IPV6, IPV6_##name}
#define TCP(name) {IPPROTO_TCP, TCP_##name}

// Other options attach filters, hand out descriptors of other processes, or reach rarely used code of the kernel.
static const struct socket_option {
    uint64_t level, name;
} socket_options[] = {
    SOCKET(REUSEADDR), SOCKET(BROADCAST), SOCKET(SNDBUF), SOCKET(RCVBUF), SOCKET(KEEPALIVE), SOCKET(LINGER), SOCKET(RCVTIMEO),
    SOCKET(SNDTIMEO), SOCKET(RCVLOWAT), IP(TOS), IP(TTL), IP(RECVERR), IP(PKTINFO), IP(MTU_DISCOVER), IP(BIND_ADDRESS_NO_PORT),
    IPV6(V6ONLY), IPV6(RECVERR), IPV6(TCLASS), IPV6(UNICAST_HOPS), IPV6(MTU_DISCOVER), IPV6(RECVPKTINFO), TCP(NODELAY),
    TCP(MAXSEG), TCP(CORK), TCP(KEEPIDLE), TCP(KEEPINTVL), TCP(KEEPCNT), TCP(SYNCNT), TCP(QUICKACK), TCP(USER_TIMEOUT),
    TCP(FASTOPEN_CONNECT), TCP(NOTSENT_LOWAT),
}, read_socket_options[] = {
    SOCKET(ERROR), SOCKET(TYPE), SOCKET(DOMAIN), SOCKET(PROTOCOL), SOCKET(ACCEPTCONN), IP(MTU), IPV6(MTU), TCP(INFO),
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

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

// Adds a rule for a call whose arguments meet all of some conditions.
#define RULE(action, name, ...) \
    add(filter, action, name, COUNT(((struct scmp_arg_cmp[]){__VA_ARGS__})), (struct scmp_arg_cmp[]){__VA_ARGS__})
#define ALLOW(name, ...) RULE(SCMP_ACT_ALLOW, name, ##__VA_ARGS__)
#define DENY(name, ...) RULE(SCMP_ACT_ERRNO(EPERM), name, ##__VA_ARGS__)

// Adds a rule for each of some calls, whose names are separated by spaces.
static void add_each(struct filter *filter, uint32_t action, const char *names) {
    // The last name must stay, because it can be that of the refused call.
    static char name[32];
    for (int length; filter->number == 0 && sscanf(names, "%31s%n", name, &length) == 1; names += length) RULE(action, name);
}

// Allows a call only if one of its arguments has a value.
static void allow_only(struct filter *filter, const char *name, unsigned argument, uint64_t value) {
    ALLOW(name, SCMP_CMP(argument, SCMP_CMP_EQ, value));
    DENY(name, SCMP_CMP(argument, SCMP_CMP_NE, value));
}

static void allow_values(struct filter *filter, const char *name, unsigned argument, const uint64_t *values, size_t count) {
    for (size_t index = 0; index < count; index++) ALLOW(name, SCMP_CMP(argument, SCMP_CMP_EQ, values[index]));
}

static void allow_options(struct filter *filter, const char *name, const struct socket_option *options, size_t count) {
    for (size_t index = 0; index < count; index++) {
        ALLOW(name, SCMP_A1(SCMP_CMP_EQ, options[index].level), SCMP_A2(SCMP_CMP_EQ, options[index].name));
    }
}

static void add_conditional(struct filter *filter, int version, bool network) {
    // fchmod(2) has no effect: a file that may only be read must keep its mode, but Foundation copies no file without the call.
    RULE(SCMP_ACT_ERRNO(0), "fchmod");

    // Threads, but no processes: the filter must do this, because RLIMIT_NPROC does not apply to root. clone3(2) has its flags in
    // memory, where no filter sees them; the default sends the C library to clone(2).
    ALLOW("clone", SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD | namespaces, CLONE_THREAD));

    for (const char *const *name = (const char *const[]){"kill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo", NULL}; *name; name++) {
        allow_only(filter, *name, 0, (uint64_t)getpid());
    }
    // A thread may change its own processor and priority.
    allow_only(filter, "sched_setaffinity", 0, 0);
    ALLOW("setpriority", SCMP_A0(SCMP_CMP_EQ, PRIO_PROCESS), SCMP_A1(SCMP_CMP_EQ, 0));
    DENY("setpriority", SCMP_A1(SCMP_CMP_NE, 0));
    // Reading limits, also those of other processes of the user.
    allow_only(filter, "prlimit64", 2, 0);

    // Memory that is private, and files. The limits of data do not count anonymous memory that is shared or grows by itself.
    uint64_t grows = MAP_GROWSDOWN | MAP_HUGETLB, kind = MAP_PRIVATE | MAP_SHARED | MAP_SHARED_VALIDATE | grows;
    ALLOW("mmap", SCMP_A3(SCMP_CMP_MASKED_EQ, kind, MAP_PRIVATE));
    for (const uint64_t *shared = (const uint64_t[]){MAP_SHARED, MAP_SHARED_VALIDATE, 0}; *shared; shared++) {
        ALLOW("mmap", SCMP_A3(SCMP_CMP_MASKED_EQ, kind | MAP_ANONYMOUS, *shared));
        DENY("mmap", SCMP_A3(SCMP_CMP_MASKED_EQ, kind | MAP_ANONYMOUS, *shared | MAP_ANONYMOUS));
    }
    for (const uint64_t *unlimited = (const uint64_t[]){MAP_GROWSDOWN, MAP_HUGETLB, grows, 0}; *unlimited; unlimited++) {
        DENY("mmap", SCMP_A3(SCMP_CMP_MASKED_EQ, grows, *unlimited));
    }
    // A whiteout is a device.
    ALLOW("renameat2", SCMP_A4(SCMP_CMP_MASKED_EQ, RENAME_WHITEOUT, 0));
    DENY("renameat2", SCMP_A4(SCMP_CMP_MASKED_EQ, RENAME_WHITEOUT, RENAME_WHITEOUT));

    allow_options(filter, "setsockopt", socket_options, COUNT(socket_options));
    allow_options(filter, "getsockopt", socket_options, COUNT(socket_options));
    allow_options(filter, "getsockopt", read_socket_options, COUNT(read_socket_options));
    allow_values(filter, "ioctl", 1, controls, COUNT(controls));
    allow_values(filter, "fcntl", 1, descriptor_commands, COUNT(descriptor_commands));
    allow_values(filter, "prctl", 0, process_options, COUNT(process_options));
    // confinement_follow_parent() comes after the filter.
    ALLOW("prctl", SCMP_A0(SCMP_CMP_EQ, PR_SET_PDEATHSIG), SCMP_A1(SCMP_CMP_EQ, SIGKILL));

    // Before version 3, Landlock lets a process empty each file that it may open for reading.
    if (version >= 3) {
        ALLOW("open");
        ALLOW("openat");
        ALLOW("openat2");
        ALLOW("truncate");
    } else {
        const uint64_t mask = O_ACCMODE | O_TRUNC;
        const uint64_t modes[] = {O_RDONLY, O_WRONLY, O_RDWR, O_WRONLY | O_TRUNC, O_RDWR | O_TRUNC};
        for (size_t index = 0; index < COUNT(modes); index++) {
            ALLOW("open", SCMP_A1(SCMP_CMP_MASKED_EQ, mask, modes[index]));
            ALLOW("openat", SCMP_A2(SCMP_CMP_MASKED_EQ, mask, modes[index]));
        }
        DENY("truncate");
    }

    if (network) {
        const uint64_t families[] = {AF_INET, AF_INET6}, types[] = {SOCK_STREAM, SOCK_DGRAM};
        for (size_t index = 0; index < 4; index++) {
            ALLOW("socket", SCMP_A0(SCMP_CMP_EQ, families[index / 2]), SCMP_A1(SCMP_CMP_MASKED_EQ, 0xf, types[index % 2]));
        }
        ALLOW("bind");
        ALLOW("connect");
        // libcurl wakes its thread for names through a pair.
        ALLOW("socketpair", SCMP_A0(SCMP_CMP_EQ, AF_UNIX), SCMP_A1(SCMP_CMP_MASKED_EQ, 0xf, SOCK_STREAM));
    } else {
        DENY("socket");
        DENY("socketpair");
        DENY("bind");
        DENY("connect");
    }
}

int confinement_filter_load(int version, bool network, const char **call) {
    struct filter *filter = &(struct filter){.context = seccomp_init(SCMP_ACT_ERRNO(ENOSYS))};
    *call = NULL;
    if (filter->context == NULL) {
        errno = ENOMEM;
        return -1;
    }
    // A call of another architecture, or of the x32 interface, would have another meaning by the same number.
    int status = seccomp_attr_set(filter->context, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    add_each(filter, SCMP_ACT_ALLOW, allowed);
    add_each(filter, SCMP_ACT_ERRNO(EPERM), denied);
    add_conditional(filter, version, network);
    if (status == 0) status = -filter->number;
    // libseccomp before 2.5 has no search tree, and its filter is only slower.
    if (status == 0) seccomp_attr_set(filter->context, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    if (status == 0) status = seccomp_load(filter->context);
    *call = filter->refused;
    seccomp_release(filter->context);
    if (status == 0) return 0;
    errno = -status;
    return -1;
}
