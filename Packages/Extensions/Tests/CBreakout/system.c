#define _GNU_SOURCE
#include "attempts.h"

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <linux/securebits.h>
#include <mqueue.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/msg.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/quota.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>

#define IO_URING_SETUP 425
#define OPEN_TREE 428
#define FSOPEN 430

// Many calls here have arguments that the kernel rejects after it has checked the rights.

static int mount_memory(targets *t) {
    if (mount("none", t->container, "tmpfs", 0, NULL) != 0) return errno;
    umount2(t->container, MNT_DETACH);
    return 0;
}
static int unmount(targets *t) { return processed(umount2(t->container, 0), EINVAL); }
static int copy_mounts(targets *t) { return TRY(syscall(OPEN_TREE, AT_FDCWD, t->container, 1)); }
static int open_file_system(targets *t) { return TRY(syscall(FSOPEN, "tmpfs", 0)); }
static int change_root(targets *t) { return TRY(chroot(t->container)); }
static int pivot(targets *t) { return processed(syscall(SYS_pivot_root, t->container, t->container), EINVAL) == 0 || errno == EBUSY ? 0 : errno; }
static int new_users(targets *t) { return TRY(unshare(CLONE_NEWUSER)); }
static int new_network(targets *t) { return TRY(unshare(CLONE_NEWNET)); }
static int new_mounts(targets *t) { return TRY(unshare(CLONE_NEWNS)); }
static int clone_users(targets *t) {
    long child = syscall(SYS_clone, CLONE_NEWUSER | 17, 0, 0, 0, 0);
    if (child < 0) return errno;
    if (child == 0) _exit(0);
    waitpid((pid_t)child, NULL, 0);
    return 0;
}
static int enter_namespace(targets *t) {
    PATH(path, "/proc/%d/ns/uts", t->host);
    int space = open(path, O_RDONLY | O_CLOEXEC);
    return TRY(setns(space < 0 ? STDIN_FILENO : space, 0));
}

static int load_module(targets *t) { return processed(syscall(SYS_init_module, "x", 1, ""), ENOEXEC); }
static int load_module_file(targets *t) {
    PATH(path, "%s/own", t->container);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    return file < 0 ? errno : processed(syscall(SYS_finit_module, file, "", 0), ENOEXEC);
}
static int remove_module(targets *t) { return processed(syscall(SYS_delete_module, "atrium_breakout", O_NONBLOCK), ENOENT); }
static int load_kernel(targets *t) { return processed(syscall(SYS_kexec_load, 0, 0, NULL, ~0UL & 0xfffc), EINVAL); }
static int restart(targets *t) { return processed(syscall(SYS_reboot, 0, 0, 0, NULL), EINVAL); }
static int swap_on(targets *t) { PATH(path, "%s/own", t->container); return processed(swapon(path, 0), EINVAL); }
static int account(targets *t) { PATH(path, "%s", t->container); return processed(acct(path), EISDIR); }
static int rename_host(targets *t) {
    struct utsname names;
    if (uname(&names) != 0) return errno;
    return TRY(sethostname(names.nodename, strlen(names.nodename)));
}
static int set_clock(targets *t) {
    struct timespec never = {0, -1};
    return processed(syscall(SYS_clock_settime, CLOCK_REALTIME, &never), EINVAL);
}
static int adjust_clock(targets *t) {
    struct timex none = {.modes = ADJ_OFFSET_SINGLESHOT};
    return TRY(adjtimex(&none));
}
static int read_log(targets *t) { char text[64]; return TRY(syscall(SYS_syslog, 3, text, sizeof text)); }
static int set_quota(targets *t) { return TRY(quotactl(QCMD(Q_SYNC, USRQUOTA), NULL, 0, NULL)); }
#ifdef SYS_iopl
static int raise_ports(targets *t) { return TRY(syscall(SYS_iopl, 3)); }
#endif

static int add_key(targets *t) { return TRY(syscall(SYS_add_key, "user", "atrium", "x", 1, KEY_SPEC_PROCESS_KEYRING)); }
static int read_keys(targets *t) { return TRY(syscall(SYS_keyctl, KEYCTL_GET_KEYRING_ID, KEY_SPEC_SESSION_KEYRING, 1)); }
static int load_program(targets *t) {
    union bpf_attr map = {.map_type = BPF_MAP_TYPE_ARRAY, .key_size = 4, .value_size = 4, .max_entries = 1};
    return TRY(syscall(SYS_bpf, BPF_MAP_CREATE, &map, sizeof map));
}
static int count_events(targets *t) {
    struct perf_event_attr event = {
        .type = PERF_TYPE_SOFTWARE, .size = sizeof event, .config = PERF_COUNT_SW_CPU_CLOCK, .exclude_kernel = 1};
    return TRY(syscall(SYS_perf_event_open, &event, 0, -1, -1, 0));
}
static int handle_faults(targets *t) { return TRY(syscall(SYS_userfaultfd, O_CLOEXEC | 1)); }
static int make_ring(targets *t) {
    unsigned parameters[30] = {0};
    return TRY(syscall(IO_URING_SETUP, 1, parameters));
}
static int change_personality(targets *t) { return TRY(personality(ADDR_NO_RANDOMIZE)); }
static int add_filter(targets *t) { return processed(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, NULL), EFAULT); }

static int become_root(targets *t) { return TRY(setuid(0)); }
static int become_other(targets *t) { return TRY(setresuid(65534, 65534, 65534)); }
static int set_groups(targets *t) { return TRY(syscall(SYS_setgroups, 0, NULL)); }
static int regain(targets *t) {
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct data[2] = {{.effective = 1 << CAP_SYS_PTRACE, .permitted = 1 << CAP_SYS_PTRACE}};
    return TRY(syscall(SYS_capset, &header, data));
}
static int keep_capabilities(targets *t) { return TRY(prctl(PR_SET_SECUREBITS, SECBIT_KEEP_CAPS, 0, 0, 0)); }
static int become_readable(targets *t) { return TRY(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)); }
static int outlive(targets *t) { return TRY(prctl(PR_SET_PDEATHSIG, 0, 0, 0, 0)); }
static int new_privileges(targets *t) { return TRY(prctl(PR_SET_NO_NEW_PRIVS, 0, 0, 0, 0)); }
static int let_trace(targets *t) { return TRY(prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0)); }
static int trap_calls(targets *t) { return TRY(prctl(PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0)); }
static int set_memory_map(targets *t) { return processed(prctl(PR_SET_MM, PR_SET_MM_BRK, 0, 0, 0), EINVAL); }

static int type_into_terminal(targets *t) { return TRY(ioctl(STDIN_FILENO, TIOCSTI, " ")); }
static int take_terminal(targets *t) { return TRY(ioctl(STDIN_FILENO, TIOCSCTTY, 0)); }
static int own_signals(targets *t) {
    int ends[2];
    if (pipe(ends) != 0) return errno;
    int on = 1;
    return TRY(ioctl(ends[0], FIOASYNC, &on));
}

static int share_segment(targets *t) {
    int segment = shmget(IPC_PRIVATE, 4096, 0600);
    return segment < 0 ? errno : TRY(shmctl(segment, IPC_RMID, NULL));
}
static int make_queue(targets *t) {
    int queue = msgget(IPC_PRIVATE, 0600);
    return queue < 0 ? errno : TRY(msgctl(queue, IPC_RMID, NULL));
}
static int make_semaphore(targets *t) {
    int semaphore = semget(IPC_PRIVATE, 1, 0600);
    return semaphore < 0 ? errno : TRY(semctl(semaphore, 0, IPC_RMID));
}
static int open_queue(targets *t) {
    PATH(name, "/atrium-breakout-%d", (int)getpid());
    mqd_t queue = mq_open(name, O_RDWR | O_CREAT | O_EXCL, 0600, NULL);
    if (queue == (mqd_t)-1) return errno;
    mq_close(queue);
    return TRY(mq_unlink(name));
}

#ifdef __x86_64__
static int old_interface(targets *t) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "r8", "r9", "r10", "r11", "memory");
    return result > 0 ? 0 : (int)-result;
}
static int x32_interface(targets *t) { return TRY(syscall(0x40000000 | SYS_getpid)); }
#endif
static int unknown_call(targets *t) { return TRY(syscall(0x3ffff)); }

const struct breakout_attempt system_attempts[] = {
    {"mount a file system", "EPERM", true, breakout_control_root, mount_memory},
    {"unmount a file system", "EPERM", true, breakout_control_root, unmount},
    {"copy a tree of mounts", "EPERM", true, breakout_control_root, copy_mounts},
    {"open a new file system", "EPERM", true, breakout_control_root, open_file_system},
    {"change its root folder", "EPERM", true, breakout_control_root, change_root},
    {"swap the root folder", "EPERM", true, breakout_control_root, pivot},
    {"enter a new namespace of users", "EPERM", true, breakout_control_any, new_users},
    {"enter a new namespace of networks", "EPERM", true, breakout_control_root, new_network},
    {"enter a new namespace of mounts", "EPERM", true, breakout_control_root, new_mounts},
    {"make a child in a new namespace of users", "ENOSYS", true, breakout_control_any, clone_users},
    {"enter the host's namespace", "EPERM", true, breakout_control_root, enter_namespace},
    {"load a kernel module", "EPERM", true, breakout_control_root, load_module},
    {"load a kernel module from a file", "EPERM", true, breakout_control_root, load_module_file},
    {"remove a kernel module", "EPERM", true, breakout_control_root, remove_module},
    {"load another kernel", "EPERM", true, breakout_control_root, load_kernel},
    {"restart the machine", "EPERM", true, breakout_control_root, restart},
    {"add swap space", "EPERM", true, breakout_control_root, swap_on},
    {"record all processes that end", "EPERM", true, breakout_control_root, account},
    {"rename the machine", "EPERM", true, breakout_control_root, rename_host},
    {"set the clock", "EPERM", true, breakout_control_any, set_clock},
    {"adjust the clock", "EPERM", true, breakout_control_none, adjust_clock, "an unconfined attempt would change the clock's rate"},
    {"read the kernel's log by a call", "EPERM", true, breakout_control_root, read_log},
    {"change disk quotas", "EPERM", true, breakout_control_any, set_quota},
#ifdef SYS_iopl
    {"get access to input and output ports", "EPERM", true, breakout_control_root, raise_ports},
#endif
    {"add a key to a keyring", "EPERM", true, breakout_control_any, add_key},
    {"create a session keyring", "EPERM", true, breakout_control_any, read_keys},
    {"create a BPF map", "EPERM", true, breakout_control_root, load_program},
    {"count performance events", "EPERM", true, breakout_control_root, count_events},
    {"handle page faults", "EPERM", true, breakout_control_any, handle_faults},
    {"set up io_uring", "EPERM", true, breakout_control_any, make_ring},
    {"change its personality", "EPERM", true, breakout_control_any, change_personality},
    {"install another filter", "EPERM", true, breakout_control_any, add_filter},
    {"become root", "EPERM", true, breakout_control_root, become_root},
    {"become another user", "EPERM", true, breakout_control_root, become_other},
    {"change its groups", "EPERM", true, breakout_control_root, set_groups},
    {"get a capability back", "EPERM", true, breakout_control_root, regain},
    {"keep capabilities", "ENOSYS", true, breakout_control_root, keep_capabilities},
    {"become readable for other processes", "ENOSYS", true, breakout_control_any, become_readable},
    {"outlive its parent", "ENOSYS", true, breakout_control_any, outlive},
    {"allow new privileges", "ENOSYS", true, breakout_control_none, new_privileges, "no process can unset the flag"},
    {"let all processes trace it", "ENOSYS", true, breakout_control_none, let_trace, "only kernels with Yama have the call"},
    {"forbid itself to read the time stamp counter", "ENOSYS", true, breakout_control_any, trap_calls},
    {"change the kernel's view of its memory", "ENOSYS", true, breakout_control_none, set_memory_map,
     "a process needs CAP_SYS_RESOURCE, which containers often lack"},
    {"type into the terminal", "ENOSYS", true, breakout_control_root, type_into_terminal},
    {"take over the terminal", "ENOSYS", true, breakout_control_none, take_terminal,
     "a process that is not the leader of a session gets EPERM"},
    {"get signals from a pipe", "ENOSYS", true, breakout_control_any, own_signals},
    {"create a segment of shared memory", "EPERM", true, breakout_control_any, share_segment},
    {"create a message queue", "EPERM", true, breakout_control_any, make_queue},
    {"create a semaphore", "EPERM", true, breakout_control_any, make_semaphore},
    {"open a message queue with a name", "EPERM", true, breakout_control_any, open_queue},
#ifdef __x86_64__
    {"make a call of the 32-bit interface", "SIGSYS", true, breakout_control_any, old_interface},
    {"make a call of the x32 interface", "SIGSYS", true, breakout_control_none, x32_interface, "most kernels lack the x32 interface"},
#endif
    {"make a call that does not exist", "ENOSYS", true, breakout_control_none, unknown_call, "no kernel has it"},
};
const int system_count = sizeof system_attempts / sizeof system_attempts[0];
