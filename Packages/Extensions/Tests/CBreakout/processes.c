#define _GNU_SOURCE
#include "attempts.h"

#include <fcntl.h>
#include <linux/kcmp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>

// Calls without a name in older headers.
#define PIDFD_SEND_SIGNAL 424
#define PIDFD_OPEN 434
#define PIDFD_GETFD 438
#define CLONE3 435
#define MEMFD_SECRET 447

static int attach(targets *t) { return TRY(ptrace(PTRACE_ATTACH, t->host, NULL, NULL)); }
static int seize(targets *t) { return TRY(ptrace(PTRACE_SEIZE, t->host, NULL, NULL)); }
static int be_traced(targets *t) { return TRY(ptrace(PTRACE_TRACEME, 0, NULL, NULL)); }
static int read_memory(targets *t) {
    char bytes[8];
    struct iovec own = {bytes, sizeof bytes}, other = {(void *)t->host_address, sizeof bytes};
    return TRY(process_vm_readv(t->host, &own, 1, &other, 1, 0));
}
static int write_memory(targets *t) {
    char bytes[8] = "written";
    struct iovec own = {bytes, sizeof bytes}, other = {(void *)t->host_address, sizeof bytes};
    return TRY(process_vm_writev(t->host, &own, 1, &other, 1, 0));
}
static int compare(targets *t) { return TRY(syscall(SYS_kcmp, getpid(), t->host, KCMP_FILES, 0, 0)); }
static int probe(targets *t) { return TRY(kill(t->host, 0)); }
static int terminate(targets *t) { return TRY(kill(t->host, SIGTERM)); }
static int kill_host(targets *t) { return TRY(kill(t->host, SIGKILL)); }
static int kill_all(targets *t) { return TRY(kill(-1, 0)); }
static int kill_group(targets *t) { return TRY(kill(-getpgid(t->host), 0)); }
static int kill_thread(targets *t) { return TRY(syscall(SYS_tgkill, t->host, t->host, SIGKILL)); }
static int kill_any_thread(targets *t) { return TRY(syscall(SYS_tkill, t->host, SIGKILL)); }
static int queue_signal(targets *t) { return TRY(sigqueue(t->host, SIGKILL, (union sigval){0})); }
static int open_process(targets *t) { return TRY(syscall(PIDFD_OPEN, t->host, 0)); }
static int signal_descriptor(targets *t) {
    // A folder in /proc is such a descriptor as well.
    PATH(path, "/proc/%d", t->host);
    int process = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (process < 0) process = STDIN_FILENO;
    return TRY(syscall(PIDFD_SEND_SIGNAL, process, SIGKILL, NULL, 0));
}
static int take_descriptor(targets *t) {
    int process = (int)syscall(PIDFD_OPEN, t->host, 0);
    return TRY(syscall(PIDFD_GETFD, process < 0 ? 0 : process, 0, 0));
}
// Data in a pipe makes the kernel send a signal to the pipe's owner.
static int signal_by_pipe(targets *t) {
    int ends[2];
    if (pipe(ends) != 0) return errno;
    if (fcntl(ends[0], F_SETOWN, t->host) != 0 || fcntl(ends[0], F_SETSIG, SIGKILL) != 0) return errno;
    if (fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK) != 0) return errno;
    return TRY(write(ends[1], "x", 1));
}
static int lower_priority(targets *t) { return TRY(setpriority(PRIO_PROCESS, (id_t)t->host, 19)); }
static int set_affinity(targets *t) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(0, &set);
    return TRY(sched_setaffinity(t->host, sizeof set, &set));
}
static int set_scheduler(targets *t) {
    struct sched_param none = {0};
    return TRY(sched_setscheduler(t->host, SCHED_IDLE, &none));
}
static int set_io_priority(targets *t) { return TRY(syscall(SYS_ioprio_set, 1, t->host, 3 << 13)); }
static int limit_host(targets *t) {
    struct rlimit none = {64, 64};
    return TRY(prlimit(t->host, RLIMIT_NOFILE, &none, NULL));
}
static int move_pages_of_host(targets *t) { return processed(syscall(SYS_migrate_pages, t->host, 0, NULL, NULL), EINVAL); }

static int wait_for(pid_t child) {
    if (child < 0) return errno;
    if (child == 0) _exit(0);
    waitpid(child, NULL, 0);
    return 0;
}
static int make_child(targets *t) { return wait_for((pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }
static int call_fork(targets *t) { return wait_for(fork()); }
#ifdef SYS_fork
static int raw_fork(targets *t) { return wait_for((pid_t)syscall(SYS_fork)); }
#endif
static int call_vfork(targets *t) {
    pid_t child = vfork();
    if (child == 0) _exit(0);
    return TRY(child);
}
static int call_clone3(targets *t) {
    unsigned long arguments[8] = {[4] = SIGCHLD};
    return wait_for((pid_t)syscall(CLONE3, arguments, sizeof arguments));
}
static int fork_bomb(targets *t) {
    for (int count = 0; count < 64; count++) {
        int refused = wait_for(fork());
        if (refused != 0) return refused;
    }
    return 0;
}
static int spawn_shell(targets *t) {
    extern char **environ;
    pid_t child;
    char *arguments[] = {"sh", "-c", "exit 0", NULL};
    int number = posix_spawn(&child, "/bin/sh", NULL, NULL, arguments, environ);
    return number != 0 ? number : wait_for(child);
}
static int call_system(targets *t) { 
    int status = system("exit 0");
    // The C library reports a shell that did not start as one that ended with 127.
    return status == 0 ? 0 : status < 0 ? errno : ENOSYS;
}
// The program ends with success if it was started.
static int exec_shell(targets *t) {
    char *arguments[] = {"sh", "-c", "echo escaped", NULL};
    return TRY(execv("/bin/sh", arguments));
}
static int exec_own(targets *t) {
    PATH(path, "%s/program", t->container);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
    if (file < 0) return errno;
    const char script[] = "#!/bin/sh\necho escaped\n";
    if (write(file, script, sizeof script - 1) < 0) return errno;
    close(file);
    char *arguments[] = {"program", NULL};
    return TRY(execv(path, arguments));
}
static int memory_file(targets *t) { return TRY(memfd_create("breakout", MFD_CLOEXEC)); }
static int exec_descriptor(targets *t) {
    int file = open("/bin/sh", O_RDONLY);
    char *arguments[] = {"sh", "-c", "echo escaped", NULL}, *none[] = {NULL};
    return TRY(syscall(SYS_execveat, file < 0 ? STDIN_FILENO : file, "", arguments, none, AT_EMPTY_PATH));
}

static int fill_address_space(targets *t) {
    return mmap(NULL, t->address_space, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED
        ? errno : 0;
}
static int fill_memory(targets *t) {
    size_t step = 16 << 20;
    for (size_t count = 0; count < t->address_space; count += step) {
        char *memory = malloc(step);
        if (memory == NULL) return errno;
        // The compiler must not remove the allocation.
        *(volatile char *)memory = 1;
    }
    return 0;
}
static int map_memory(int flags) {
    size_t size = 1 << 20;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED) return errno;
    munmap(memory, size);
    return 0;
}
static int share_anonymous(targets *t) { return map_memory(MAP_SHARED | MAP_ANONYMOUS); }
static int share_touched(targets *t) { return map_memory(MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE | MAP_NORESERVE); }
static int grow_by_itself(targets *t) { return map_memory(MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN); }
static int grow_as_stack(targets *t) { return map_memory(MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN | MAP_STACK); }
static int map_huge_pages(targets *t) { return map_memory(MAP_PRIVATE | MAP_ANONYMOUS | MAP_HUGETLB); }
static int share_zeros(targets *t) {
    int zeros = open("/dev/zero", O_RDWR | O_CLOEXEC);
    if (zeros < 0) return errno;
    return mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_SHARED, zeros, 0) == MAP_FAILED ? errno : 0;
}
static int secret_memory(targets *t) { return TRY(syscall(MEMFD_SECRET, 0)); }
// Files without names are memory as long as they are mapped and written.
static int map_files(targets *t) {
    PATH(path, "%s/mapped", t->container);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, (off_t)t->file_size) != 0 || unlink(path) != 0) return errno;
    // Eight times as much as the limit of private memory.
    for (unsigned long size = 0; size < 4 * t->address_space; size += t->file_size) {
        if (mmap(NULL, t->file_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED) return errno;
    }
    return 0;
}
static int grow_stack(targets *t) {
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[512];
    unsigned long start = 0;
    while (maps != NULL && fgets(line, sizeof line, maps) != NULL) {
        if (strstr(line, "[stack]") != NULL) start = strtoul(line, NULL, 16);
    }
    if (start == 0) return ENOENT;
    for (unsigned long depth = 4096; depth <= 64 << 20; depth += 4096) *(volatile char *)(start - depth) = 1;
    return 0;
}
static int grow_note(targets *t) {
    struct stat status;
    if (fstat(4, &status) != 0 || !S_ISREG(status.st_mode)) return EBADF;
    return TRY(ftruncate(4, status.st_size + 1));
}
static int grow_pipe(targets *t) {
    int ends[2];
    return pipe(ends) != 0 ? errno : TRY(fcntl(ends[0], F_SETPIPE_SZ, 1 << 20));
}
static int fill_disk(targets *t) {
    PATH(path, "%s/large", t->container);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    return file < 0 ? errno : TRY(ftruncate(file, (off_t)t->file_size + 1));
}
static int fill_disk_quietly(targets *t) {
    signal(SIGXFSZ, SIG_IGN);
    return fill_disk(t);
}
static int open_many(targets *t) {
    for (unsigned long count = 0; count <= t->open_files; count++) {
        if (open("/dev/null", O_RDONLY | O_CLOEXEC) < 0) return errno;
    }
    return 0;
}
static void *idle(void *nothing) {
    for (;;) pause();
    return nothing;
}
static int start_many(targets *t) {
    for (unsigned long stacks = 0; stacks < t->address_space; stacks += 8 << 20) {
        pthread_attr_t attributes;
        pthread_attr_init(&attributes);
        pthread_attr_setstacksize(&attributes, 8 << 20);
        pthread_t thread;
        int number = pthread_create(&thread, &attributes, idle, NULL);
        if (number != 0) return number;
    }
    return 0;
}
static int burn(targets *t) {
    struct timespec used;
    do {
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    } while ((unsigned long)used.tv_sec <= t->processor_seconds);
    return 0;
}
static int burn_on(targets *t) {
    signal(SIGXCPU, SIG_IGN);
    struct breakout_targets longer = *t;
    longer.processor_seconds += 1;
    return burn(&longer);
}
// For an unconfined process, these values are lower than its limits.
static int raise_limit(int resource, rlim_t value) {
    struct rlimit wanted = {value, value};
    return TRY(setrlimit((__rlimit_resource_t)resource, &wanted));
}
static int raise_memory(targets *t) { return raise_limit(RLIMIT_AS, 2 * t->address_space); }
static int raise_files(targets *t) { return raise_limit(RLIMIT_NOFILE, t->open_files + 1); }
static int raise_core(targets *t) { return raise_limit(RLIMIT_CORE, 1); }
static int raise_by_prlimit(targets *t) {
    struct rlimit wanted = {t->open_files + 1, t->open_files + 1};
    return TRY(prlimit(0, RLIMIT_NOFILE, &wanted, NULL));
}
static int run_in_real_time(targets *t) {
    struct sched_param first = {.sched_priority = 1};
    return TRY(sched_setscheduler(0, SCHED_FIFO, &first));
}
static int leave_session(targets *t) {
    return TRY(setpgid(0, 0));
}

static int see_host(targets *t) { return TRY(getpgid(t->host)); }
static int host_scheduler(targets *t) { return TRY(sched_getscheduler(t->host)); }

const struct breakout_attempt process_attempts[] = {
    {"attach to the host as a debugger", "EPERM", true, breakout_control_any, attach},
    {"seize the host as a debugger", "EPERM", true, breakout_control_any, seize},
    {"let its parent trace it", "EPERM", true, breakout_control_any, be_traced},
    {"read the host's memory", "EPERM", true, breakout_control_any, read_memory},
    {"write the host's memory", "EPERM", true, breakout_control_any, write_memory},
    {"compare its files with the host's", "EPERM", true, breakout_control_any, compare},
    {"find out whether it may signal the host", "EPERM", true, breakout_control_any, probe},
    {"terminate the host", "EPERM", true, breakout_control_any, terminate},
    {"kill the host", "EPERM", true, breakout_control_any, kill_host},
    {"signal all processes", "EPERM", true, breakout_control_any, kill_all},
    {"signal the host's group", "EPERM", true, breakout_control_any, kill_group},
    {"kill the host by its thread", "EPERM", true, breakout_control_any, kill_thread},
    {"kill a thread of the host", "EPERM", true, breakout_control_any, kill_any_thread},
    {"queue a signal for the host", "EPERM", true, breakout_control_any, queue_signal},
    {"open a descriptor of the host's process", "EPERM", true, breakout_control_any, open_process},
    {"kill the host by a descriptor", "EPERM", true, breakout_control_any, signal_descriptor},
    {"take a descriptor from the host", "EPERM", true, breakout_control_any, take_descriptor},
    {"let a pipe kill the host", "ENOSYS", true, breakout_control_any, signal_by_pipe},
    {"lower the host's priority", "EPERM", true, breakout_control_any, lower_priority},
    {"choose the host's processor", "EPERM", true, breakout_control_any, set_affinity},
    {"change the host's scheduler", "EPERM", true, breakout_control_any, set_scheduler},
    {"lower the host's priority for the disk", "EPERM", true, breakout_control_any, set_io_priority},
    {"limit the host's open files", "EPERM", true, breakout_control_any, limit_host},
    {"move the host's memory", "EPERM", true, breakout_control_any, move_pages_of_host},
    {"make a child with clone", "ENOSYS", true, breakout_control_any, make_child},
    {"make a child with clone3", "ENOSYS", true, breakout_control_any, call_clone3},
    {"make a child with the C library's fork", "ENOSYS", true, breakout_control_any, call_fork},
#ifdef SYS_fork
    {"make a child with fork", "EPERM", true, breakout_control_any, raw_fork},
#endif
    {"make a child with vfork", "EPERM", true, breakout_control_any, call_vfork},
    {"make children without end", "ENOSYS", true, breakout_control_any, fork_bomb},
    {"start a shell beside itself", "ENOSYS", true, breakout_control_any, spawn_shell},
    {"run a shell command", "ENOSYS", true, breakout_control_any, call_system},
    {"become a shell", "EPERM", true, breakout_control_any, exec_shell},
    {"become a program that it has written", "EPERM", true, breakout_control_any, exec_own},
    {"become a program by its descriptor", "EPERM", true, breakout_control_any, exec_descriptor},
    {"create a file in memory", "EPERM", true, breakout_control_any, memory_file},
    {"share memory that its limit does not count", "EPERM", true, breakout_control_any, share_anonymous},
    {"share touched memory that its limit does not count", "EPERM", true, breakout_control_any, share_touched},
    {"map memory that grows by itself", "EPERM", true, breakout_control_any, grow_by_itself},
    {"map a stack that grows by itself", "EPERM", true, breakout_control_any, grow_as_stack},
    {"map huge pages", "EPERM", true, breakout_control_none, map_huge_pages, "most systems reserve no huge pages"},
    {"share memory through a device", "EACCES", false, breakout_control_any, share_zeros},
    {"create secret memory", "EPERM", true, breakout_control_any, secret_memory},
    {"map more of a file than its limit", "ENOMEM", true, breakout_control_any, map_files},
    // What handles the signal may exceed the limit for files when it writes the report.
    {"grow its main thread's stack without end", "SIGSEGV SIGXFSZ", false, breakout_control_none, grow_stack,
     "most systems limit every stack"},
    {"grow the file for its crash note", "EPERM EBADF", true, breakout_control_none, grow_note,
     "only the process of an extension has one"},
    {"make a pipe larger", "ENOSYS", true, breakout_control_any, grow_pipe},
    {"map more memory than its limit", "ENOMEM", true, breakout_control_any, fill_address_space},
    {"allocate memory without end", "ENOMEM", true, breakout_control_any, fill_memory},
    {"write a file that is larger than its limit", "SIGXFSZ EFBIG", true, breakout_control_any, fill_disk},
    {"write a file that is larger than its limit, ignoring the signal", "EFBIG", true, breakout_control_any, fill_disk_quietly},
    {"open more files than its limit", "EMFILE", true, breakout_control_any, open_many},
    {"start threads without end", "EAGAIN", true, breakout_control_any, start_many},
    {"compute without end", "SIGXCPU", true, breakout_control_any, burn},
    {"compute without end, ignoring the signal", "SIGKILL", true, breakout_control_any, burn_on},
    {"raise its limit of memory", "EPERM", true, breakout_control_any, raise_memory},
    {"raise its limit of open files", "EPERM", true, breakout_control_any, raise_files},
    {"write core files", "EPERM", true, breakout_control_any, raise_core},
    {"raise a limit with prlimit", "EPERM", true, breakout_control_any, raise_by_prlimit},
    {"run in real time", "EPERM", true, breakout_control_root, run_in_real_time},
    {"leave its process group", "EPERM", true, breakout_control_none, leave_session,
     "the leader of a session gets EPERM without the filter, too"},

    {"see that the host is running", "possible", false, breakout_control_any, see_host},
    {"see the host's scheduler", "possible", false, breakout_control_any, host_scheduler},
};
const int process_count = sizeof process_attempts / sizeof process_attempts[0];
