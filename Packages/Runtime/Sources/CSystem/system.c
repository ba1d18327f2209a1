#define _GNU_SOURCE
#include "system.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <linux/openat2.h>

int csystem_lock(int file, int kind) {
    struct flock lock = {.l_type = (short)kind, .l_whence = SEEK_SET};
    int status;
    do {
        status = fcntl(file, F_OFD_SETLK, &lock);
    } while (status != 0 && errno == EINTR);
    return status;
}

int csystem_share_content(int source, int target) {
    return ioctl(target, FICLONE, source);
}

bool csystem_can_share(const char *folder) {
    bool can = false;
    int source = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    int target = open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (source >= 0 && target >= 0) can = write(source, "x", 1) == 1 && csystem_share_content(source, target) == 0;
    if (source >= 0) close(source);
    if (target >= 0) close(target);
    return can;
}

// Copies the bytes from `start` to `end`.
static int copy_range(int source, int target, off_t start, off_t end) {
    char buffer[1 << 16];
    while (start < end) {
        size_t wanted = end - start < (off_t)sizeof buffer ? (size_t)(end - start) : sizeof buffer;
        ssize_t count = pread(source, buffer, wanted, start);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count < 0 ? -1 : 0;
        for (ssize_t written = 0; written < count;) {
            ssize_t step = pwrite(target, buffer + written, (size_t)(count - written), start + written);
            if (step < 0 && errno != EINTR) return -1;
            if (step > 0) written += step;
        }
        start += count;
    }
    return 0;
}

int csystem_copy_content(int source, int target) {
    struct stat status;
    if (fstat(source, &status) != 0) return -1;
    for (off_t end = 0; end < status.st_size;) {
        off_t start = lseek(source, end, SEEK_DATA);
        if (start < 0 && errno == ENXIO) break;
        if (start < 0) start = end;
        off_t hole = lseek(source, start, SEEK_HOLE);
        end = hole < 0 ? status.st_size : hole;
        if (copy_range(source, target, start, end) != 0) return -1;
    }
    return ftruncate(target, status.st_size);
}

int csystem_lease(int file, int isWanted) {
    if (isWanted && fcntl(file, F_SETSIG, SIGURG) != 0) return -1;
    return fcntl(file, F_SETLEASE, isWanted ? F_RDLCK : F_UNLCK);
}

int csystem_exchange(const char *one, const char *other) {
    return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
}

int csystem_memory_file(const char *name) {
    return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}

int csystem_seal(int file, bool is_written) {
    return fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL | (is_written ? F_SEAL_WRITE : 0));
}

void csystem_confine(int parent) {
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) raise(SIGKILL);
}

static const int reading = O_RDONLY | O_CLOEXEC | O_NONBLOCK;

int csystem_open_below_by_steps(int folder, const char *path) {
    char name[NAME_MAX + 1];
    int place = folder;
    for (;;) {
        size_t length = strcspn(path, "/");
        int isLast = path[length] == '\0';
        int next = -1;
        if (length > NAME_MAX) {
            errno = ENAMETOOLONG;
        } else {
            memcpy(name, path, length);
            name[length] = '\0';
            if (length == 0 || strcmp(name, ".") == 0 || strcmp(name, "..") == 0) {
                errno = EXDEV;
            } else {
                do {
                    next = openat(place, name, reading | O_NOFOLLOW | (isLast ? 0 : O_DIRECTORY));
                } while (next < 0 && errno == EINTR);
            }
        }
        int number = errno;
        if (place != folder) close(place);
        errno = number;
        if (next < 0 || isLast) return next;
        place = next;
        path += length + 1;
    }
}

int csystem_open_below(int folder, const char *path) {
    struct open_how how = {.flags = (unsigned)reading, .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS};
    long file;
    do {
        file = syscall(SYS_openat2, folder, path, &how, sizeof how);
    } while (file < 0 && errno == EINTR);
    // Some container sandboxes reject an unknown system call with EPERM instead of ENOSYS.
    if (file >= 0 || (errno != ENOSYS && errno != EPERM)) return (int)file;
    return csystem_open_below_by_steps(folder, path);
}

// Part of the Swift runtime library; no header of the toolchain declares it.
extern char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size, unsigned flags);

char *csystem_demangle(const char *symbol) {
    return swift_demangle(symbol, strlen(symbol), NULL, NULL, 0);
}

const void *csystem_image(const void *address) {
    Dl_info found;
    return dladdr(address, &found) != 0 ? found.dli_fbase : NULL;
}

#include <gnu/lib-names.h>
#include <link.h>

struct visit {
    void (*body)(const char *path, void *context);
    void *context;
};

static int pass(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size;
    const struct visit *visit = data;
    visit->body(object->dlpi_name, visit->context);
    return 0;
}

void csystem_each_loaded(void (*body)(const char *path, void *context), void *context) {
    struct visit visit = {body, context};
    dl_iterate_phdr(pass, &visit);
}

struct loaded_search {
    const char *name;
    bool is_found;
};

// Returns the name that a library gives itself (DT_SONAME), or NULL.
static const char *soname(const struct dl_phdr_info *object) {
    const ElfW(Dyn) *entry = NULL;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[index];
        if (header->p_type == PT_DYNAMIC) entry = (const ElfW(Dyn) *)(object->dlpi_addr + header->p_vaddr);
    }
    ElfW(Addr) strings = 0;
    ElfW(Xword) name = 0;
    bool has_name = false;
    for (; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_STRTAB) strings = entry->d_un.d_ptr;
        if (entry->d_tag == DT_SONAME) {
            name = entry->d_un.d_val;
            has_name = true;
        }
    }
    if (!has_name || strings == 0) return NULL;
    // The loader has replaced the offset by an address where it can write; in the kernel's vDSO it is still an offset.
    if (strings < object->dlpi_addr) strings += object->dlpi_addr;
    return (const char *)strings + name;
}

static int search(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size;
    struct loaded_search *search = data;
    const char *slash = strrchr(object->dlpi_name, '/');
    const char *own = soname(object);
    search->is_found = strcmp(slash ? slash + 1 : object->dlpi_name, search->name) == 0 ||
        (own && strcmp(own, search->name) == 0);
    return search->is_found;
}

bool csystem_is_loaded(const char *name) {
    struct loaded_search found = {name, false};
    dl_iterate_phdr(search, &found);
    return found.is_found;
}

const char *csystem_loaded_name(void *library) {
    struct link_map *map;
    return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : NULL;
}

const char *csystem_libc_file(int index) {
    static const char *const names[] = {
        LIBC_SO, LD_SO, LIBDL_SO, LIBM_SO, LIBPTHREAD_SO, LIBRESOLV_SO, LIBRT_SO, LIBUTIL_SO,
    };
    int count = (int)(sizeof names / sizeof *names);
    return index >= 0 && index < count ? names[index] : NULL;
}
