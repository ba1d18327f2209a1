#define _GNU_SOURCE
#include "attempts.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

int read_file(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return errno;
    char byte;
    int result = TRY(read(file, &byte, 1));
    close(file);
    return result;
}

int open_for_writing(const char *path) {
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return errno;
    close(file);
    return 0;
}

static int create(const char *path) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (file < 0) return errno;
    close(file);
    unlink(path);
    return 0;
}

static int list(const char *path) {
    DIR *folder = opendir(path);
    if (folder == NULL) return errno;
    closedir(folder);
    return 0;
}

static int read_shadow(targets *t) { return read_file("/etc/shadow"); }
static int read_outside(targets *t) { PATH(path, "%s/secret", t->outside); return read_file(path); }
static int read_other(targets *t) { PATH(path, "%s/notes", t->other); return read_file(path); }
static int list_other(targets *t) { return list(t->other); }
static int list_root(targets *t) { return list("/"); }
static int list_tmp(targets *t) { return list("/tmp"); }
static int read_registry(targets *t) { return read_file(t->registry); }
static int write_registry(targets *t) { return open_for_writing(t->registry); }
static int read_relative(targets *t) {
    if (chdir(t->outside) != 0) return errno;
    return read_file("secret");
}
static int read_dots(targets *t) { PATH(path, "%s/door/../outside/secret", t->container); return read_file(path); }

static int create_outside(targets *t) { PATH(path, "%s/new", t->outside); return create(path); }
static int create_in_tmp(targets *t) { PATH(path, "/tmp/atrium-breakout-%d", (int)getpid()); return create(path); }
static int create_temporary(targets *t) { return TRY(open(t->outside, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)); }
static int append_outside(targets *t) { PATH(path, "%s/writable", t->outside); return TRY(open(path, O_WRONLY | O_APPEND)); }
static int truncate_by_open(targets *t) { PATH(path, "%s/writable", t->outside); return TRY(open(path, O_RDONLY | O_TRUNC)); }
static int truncate_outside(targets *t) { PATH(path, "%s/writable", t->outside); return TRY(truncate(path, 0)); }
static int truncate_bundle(targets *t) { PATH(path, "%s/manifest.json", t->bundle); return TRY(open(path, O_RDONLY | O_TRUNC)); }
static int remove_outside(targets *t) { PATH(path, "%s/writable", t->outside); return TRY(unlink(path)); }
static int make_folder(targets *t) { PATH(path, "%s/folder", t->outside); return TRY(mkdir(path, 0700)); }
static int remove_folder(targets *t) { PATH(path, "%s/empty", t->outside); return TRY(rmdir(path)); }
static int rename_outside(targets *t) {
    PATH(from, "%s/writable", t->outside);
    PATH(to, "%s/renamed", t->outside);
    return TRY(rename(from, to));
}
static int move_in(targets *t) {
    PATH(from, "%s/secret", t->outside);
    PATH(to, "%s/stolen", t->container);
    return TRY(rename(from, to));
}
static int move_out(targets *t) {
    PATH(from, "%s/own", t->container);
    PATH(to, "%s/planted", t->outside);
    return TRY(rename(from, to));
}
static int link_in(targets *t) {
    PATH(from, "%s/secret", t->outside);
    PATH(to, "%s/stolen", t->container);
    return TRY(link(from, to));
}
static int link_out(targets *t) {
    PATH(from, "%s/own", t->container);
    PATH(to, "%s/planted", t->outside);
    return TRY(link(from, to));
}
static int plant_link(targets *t) { PATH(path, "%s/new-link", t->container); return TRY(symlink("/etc/shadow", path)); }
static int plant_link_outside(targets *t) { PATH(path, "%s/new-link", t->outside); return TRY(symlink("/etc/shadow", path)); }
static int follow_link(targets *t) { PATH(path, "%s/link", t->container); return read_file(path); }
static int write_through_link(targets *t) { PATH(path, "%s/door/new", t->container); return create(path); }
static int write_bundle(targets *t) { PATH(path, "%s/manifest.json", t->bundle); return open_for_writing(path); }
static int create_in_bundle(targets *t) { PATH(path, "%s/new", t->bundle); return create(path); }
static int replace_in_bundle(targets *t) {
    PATH(from, "%s/own", t->container);
    PATH(to, "%s/manifest.json", t->bundle);
    return TRY(rename(from, to));
}
static int lock_bundle(targets *t) {
    PATH(path, "%s/manifest.json", t->bundle);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    return file < 0 ? errno : TRY(flock(file, LOCK_EX | LOCK_NB));
}
static int lease_bundle(targets *t) {
    PATH(path, "%s/manifest.json", t->bundle);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    return file < 0 ? errno : TRY(fcntl(file, F_SETLEASE, F_RDLCK));
}

static int chmod_outside(targets *t) { PATH(path, "%s/writable", t->outside); return TRY(chmod(path, 0777)); }
static int chmod_bundle(targets *t) {
    PATH(path, "%s/manifest.json", t->bundle);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0 || fchmod(file, 0666) != 0 || fstat(file, &status) != 0) return errno;
    // A call without effect is refused, too.
    return (status.st_mode & 0777) == 0666 ? 0 : EPERM;
}
static int chmod_setuid(targets *t) { PATH(path, "%s/own", t->container); return TRY(chmod(path, 04755)); }
static int chown_outside(targets *t) { PATH(path, "%s/writable", t->outside); return TRY(chown(path, getuid(), getgid())); }
static int attribute_outside(targets *t) { PATH(path, "%s/writable", t->outside); return TRY(setxattr(path, "user.atrium", "1", 1, 0)); }
static int touch_outside(targets *t) { PATH(path, "%s/writable", t->outside); return TRY(utimensat(AT_FDCWD, path, NULL, 0)); }
static int make_device(targets *t) { PATH(path, "%s/null", t->container); return TRY(mknod(path, S_IFCHR | 0600, makedev(1, 3))); }
static int make_fifo(targets *t) { PATH(path, "%s/pipe", t->container); return TRY(mkfifo(path, 0600)); }
static int open_device(targets *t) { return TRY(open("/dev/kmsg", O_RDONLY | O_CLOEXEC)); }
static int open_terminal(targets *t) { return TRY(open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)); }
static int write_sysctl(targets *t) { return TRY(open("/proc/sys/kernel/core_pattern", O_WRONLY | O_CLOEXEC)); }
static int read_kallsyms(targets *t) { return read_file("/proc/kallsyms"); }
// A whiteout takes the place of a file that was renamed.
static int leave_whiteout(targets *t) {
    PATH(from, "%s/own", t->container);
    PATH(to, "%s/moved", t->container);
    return TRY(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 4));
}
static int share_memory(targets *t) {
    PATH(name, "/atrium-breakout-%d", (int)getpid());
    int file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (file < 0) return errno;
    shm_unlink(name);
    return 0;
}

static int leaked_file(targets *t) { char byte; return TRY(pread(t->leaked_file, &byte, 1, 0)); }
static int leaked_folder(targets *t) { return TRY(openat(t->leaked_folder, "secret", O_RDONLY | O_CLOEXEC)); }

static int watch(targets *t) {
    int watch = inotify_init1(IN_CLOEXEC);
    return watch < 0 ? errno : TRY(inotify_add_watch(watch, t->other, IN_ALL_EVENTS));
}
static int watch_all(targets *t) { return TRY(fanotify_init(FAN_CLASS_NOTIF | FAN_CLOEXEC, O_RDONLY)); }

struct handle {
    struct file_handle header;
    unsigned char bytes[MAX_HANDLE_SZ];
};

static int open_handle(targets *t) {
    struct handle handle = {.header.handle_bytes = MAX_HANDLE_SZ};
    PATH(path, "%s/secret", t->outside);
    int mount;
    if (name_to_handle_at(AT_FDCWD, path, &handle.header, &mount, 0) != 0) return errno;
    int place = open(t->outside, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return place < 0 ? errno : TRY(open_by_handle_at(place, &handle.header, O_RDONLY));
}
// The handle of a root folder is the same on many file systems, so no path is needed to get it.
static int open_known_handle(targets *t) {
    struct handle handle = {.header.handle_bytes = 8, .header.handle_type = 1};
    handle.bytes[0] = 2;
    return processed(open_by_handle_at(STDIN_FILENO, &handle.header, O_RDONLY), ESTALE);
}

#define HOST(name, item) static int name(targets *t) { PATH(path, "/proc/%d/" item, t->host); return read_file(path); }
HOST(host_environ, "environ")
HOST(host_maps, "maps")
HOST(host_command, "cmdline")
HOST(host_status, "status")
static int host_memory(targets *t) {
    PATH(path, "/proc/%d/mem", t->host);
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0) return errno;
    char bytes[8];
    return TRY(pread(file, bytes, sizeof bytes, (off_t)t->host_address));
}
static int host_root(targets *t) { PATH(path, "/proc/%d/root%s/secret", t->host, t->outside); return read_file(path); }
static int host_files(targets *t) { PATH(path, "/proc/%d/fd", t->host); return list(path); }
static int host_folder(targets *t) { PATH(path, "/proc/%d/cwd", t->host); return list(path); }
static int own_root(targets *t) { PATH(path, "/proc/self/root%s/secret", t->outside); return read_file(path); }
static int own_thread_root(targets *t) {
    PATH(path, "/proc/self/task/%d/root%s/secret", (int)gettid(), t->outside);
    return read_file(path);
}
static int own_memory(targets *t) { return open_for_writing("/proc/self/mem"); }
static int own_thread_memory(targets *t) { PATH(path, "/proc/self/task/%d/mem", (int)gettid()); return open_for_writing(path); }
static int reopen(targets *t) {
    PATH(bundle, "%s/manifest.json", t->bundle);
    int file = open(bundle, O_RDONLY | O_CLOEXEC);
    if (file < 0) return errno;
    PATH(path, "/proc/self/task/%d/fd/%d", (int)gettid(), file);
    return open_for_writing(path);
}
static int list_processes(targets *t) { return list("/proc"); }

static int preloaded(targets *t) { return getenv("LD_PRELOAD") == NULL ? ENOENT : 0; }
static int secret_variable(targets *t) { return getenv("ATRIUM_BREAKOUT_SECRET") == NULL ? ENOENT : 0; }
static int old_variables(targets *t) {
    PATH(path, "/proc/self/task/%d/environ", (int)gettid());
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return errno;
    static char text[1 << 16];
    ssize_t count = read(file, text, sizeof text);
    close(file);
    return count > 0 && memmem(text, (size_t)count, "ATRIUM_BREAKOUT_SECRET", 22) != NULL ? 0 : ENOENT;
}

static int stat_outside(targets *t) { struct stat s; PATH(path, "%s/secret", t->outside); return TRY(stat(path, &s)); }
static int access_outside(targets *t) { PATH(path, "%s/secret", t->outside); return TRY(access(path, R_OK)); }
static int change_folder(targets *t) { return TRY(chdir(t->outside)); }
static int read_link(targets *t) { char text[4096]; PATH(path, "%s/link", t->container); return TRY(readlink(path, text, sizeof text)); }
static int free_space(targets *t) { struct statfs s; return TRY(statfs(t->outside, &s)); }
static int read_attribute(targets *t) {
    PATH(path, "%s/secret", t->outside);
    return processed(getxattr(path, "user.atrium", NULL, 0), ENODATA);
}
static int own_maps(targets *t) { return read_file("/proc/self/maps"); }
static int own_sockets(targets *t) { PATH(path, "/proc/self/task/%d/net/unix", (int)gettid()); return read_file(path); }

const struct breakout_attempt file_attempts[] = {
    {"read /etc/shadow", "EACCES", false, breakout_control_root, read_shadow},
    {"read a file outside", "EACCES", false, breakout_control_any, read_outside},
    {"read another plugin's data", "EACCES", false, breakout_control_any, read_other},
    {"list another plugin's folder", "EACCES", false, breakout_control_any, list_other},
    {"list the root folder", "EACCES", false, breakout_control_any, list_root},
    {"list /tmp", "EACCES", false, breakout_control_any, list_tmp},
    {"read the host's registry", "EACCES", false, breakout_control_any, read_registry},
    {"write the host's registry", "EACCES", false, breakout_control_any, write_registry},
    {"go to a folder outside and read there", "EACCES", false, breakout_control_any, read_relative},
    {"read a file outside by a path with dots", "EACCES", false, breakout_control_any, read_dots},
    {"create a file outside", "EACCES", false, breakout_control_any, create_outside},
    {"create a file in /tmp", "EACCES", false, breakout_control_any, create_in_tmp},
    {"create a file without a name outside", "EACCES", false, breakout_control_any, create_temporary},
    {"append to a file outside", "EACCES", false, breakout_control_any, append_outside},
    {"empty a file outside while opening it", "EACCES", true, breakout_control_any, truncate_by_open},
    {"empty a file outside by its path", "EACCES", true, breakout_control_any, truncate_outside},
    {"empty a file of its own bundle", "EACCES", true, breakout_control_any, truncate_bundle},
    {"remove a file outside", "EACCES", false, breakout_control_any, remove_outside},
    {"make a folder outside", "EACCES", false, breakout_control_any, make_folder},
    {"remove a folder outside", "EACCES", false, breakout_control_any, remove_folder},
    {"rename a file outside", "EACCES", false, breakout_control_any, rename_outside},
    {"move a file from outside into its container", "EACCES EXDEV", false, breakout_control_any, move_in},
    {"move a file from its container to outside", "EACCES EXDEV", false, breakout_control_any, move_out},
    {"link a file outside into its container", "EPERM", true, breakout_control_any, link_in},
    {"link a file of its container to outside", "EPERM", true, breakout_control_any, link_out},
    {"plant a symbolic link in its container", "EPERM", true, breakout_control_any, plant_link},
    {"plant a symbolic link outside", "EPERM", true, breakout_control_any, plant_link_outside},
    {"follow a planted symbolic link to a file outside", "EACCES", false, breakout_control_any, follow_link},
    {"create a file outside through a planted symbolic link", "EACCES", false, breakout_control_any, write_through_link},
    {"write to a file of its own bundle", "EACCES", false, breakout_control_any, write_bundle},
    {"create a file in its own bundle", "EACCES", false, breakout_control_any, create_in_bundle},
    {"replace a file of its own bundle", "EACCES EXDEV", false, breakout_control_any, replace_in_bundle},
    {"lock a file of its own bundle", "EPERM", true, breakout_control_any, lock_bundle},
    {"take a lease on a file of its own bundle", "ENOSYS", true, breakout_control_any, lease_bundle},
    {"change the mode of a file outside", "EPERM", true, breakout_control_any, chmod_outside},
    {"change the mode of an open file of its own bundle", "EPERM", true, breakout_control_any, chmod_bundle},
    {"make a file of its container setuid", "EPERM", true, breakout_control_any, chmod_setuid},
    {"change the owner of a file outside", "EPERM", true, breakout_control_any, chown_outside},
    {"set an attribute of a file outside", "EPERM", true, breakout_control_any, attribute_outside},
    {"change the times of a file outside", "EPERM", true, breakout_control_any, touch_outside},
    {"make a device file in its container", "EPERM", true, breakout_control_root, make_device},
    {"leave a device file where a file was", "EPERM", true, breakout_control_root, leave_whiteout},
    {"make a named pipe in its container", "EPERM", true, breakout_control_any, make_fifo},
    {"open the kernel's log", "EACCES", false, breakout_control_root, open_device},
    {"open a new terminal", "EACCES", false, breakout_control_any, open_terminal},
    {"open a setting of the kernel for writing", "EACCES", false, breakout_control_root, write_sysctl},
    {"read the kernel's symbols", "EACCES", false, breakout_control_any, read_kallsyms},
    {"create shared memory with a name", "EACCES", false, breakout_control_any, share_memory},
    {"read an inherited file", "EBADF", true, breakout_control_any, leaked_file},
    {"open a file in an inherited folder", "EBADF", true, breakout_control_any, leaked_folder},
    {"watch another plugin's folder", "EPERM", true, breakout_control_any, watch},
    {"watch all file systems", "EPERM", true, breakout_control_root, watch_all},
    {"open a file outside by its handle", "EPERM", true, breakout_control_root, open_handle},
    {"open a folder by a guessed handle", "EPERM", true, breakout_control_root, open_known_handle},
    {"read the host's environment in /proc", "EACCES", false, breakout_control_any, host_environ},
    {"read the host's memory map in /proc", "EACCES", false, breakout_control_any, host_maps},
    {"read the host's command line in /proc", "EACCES", false, breakout_control_any, host_command},
    {"read the host's status in /proc", "EACCES", false, breakout_control_any, host_status},
    {"read the host's memory in /proc", "EACCES", false, breakout_control_any, host_memory},
    {"read a file outside through the host's root in /proc", "EACCES", false, breakout_control_any, host_root},
    {"list the host's open files in /proc", "EACCES", false, breakout_control_any, host_files},
    {"list the host's current folder in /proc", "EACCES", false, breakout_control_any, host_folder},
    {"read a file outside through its own root in /proc", "EACCES", false, breakout_control_any, own_root},
    {"read a file outside through its thread's root in /proc", "EACCES", false, breakout_control_any, own_thread_root},
    {"open its own memory in /proc for writing", "EACCES", false, breakout_control_any, own_memory},
    {"open its thread's memory in /proc for writing", "EACCES", false, breakout_control_any, own_thread_memory},
    {"reopen a file of its bundle in /proc for writing", "EACCES", false, breakout_control_any, reopen},
    {"list all processes in /proc", "EACCES", false, breakout_control_any, list_processes},
    {"find LD_PRELOAD in its environment", "ENOENT", true, breakout_control_any, preloaded},
    {"find a secret of the host in its environment", "ENOENT", true, breakout_control_any, secret_variable},
    {"find a secret of the host in the memory of its environment", "ENOENT", true, breakout_control_any, old_variables},

    {"see the size of a file outside", "possible", false, breakout_control_any, stat_outside},
    {"find out whether it could read a file outside", "possible", false, breakout_control_any, access_outside},
    {"go to a folder outside", "possible", false, breakout_control_any, change_folder},
    {"see where a planted symbolic link leads", "possible", false, breakout_control_any, read_link},
    {"see the free space of a disk", "possible", false, breakout_control_any, free_space},
    {"read an attribute of a file outside", "possible", false, breakout_control_any, read_attribute},
    {"read its own memory map", "possible", false, breakout_control_any, own_maps},
    {"see the names of Unix sockets", "possible", false, breakout_control_any, own_sockets},
};
const int file_count = sizeof file_attempts / sizeof file_attempts[0];
