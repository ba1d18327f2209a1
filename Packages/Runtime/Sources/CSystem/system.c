#define _GNU_SOURCE
#include "system.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

int csystem_lock(int file, int kind) {
    struct flock lock = {.l_type = (short)kind, .l_whence = SEEK_SET};
    int status;
    do {
        status = fcntl(file, F_OFD_SETLK, &lock);
    } while (status != 0 && errno == EINTR);
    return status;
}

int csystem_lease(int file, int isWanted) {
#ifdef F_SETLEASE
    if (isWanted && fcntl(file, F_SETSIG, SIGURG) != 0) return -1;
    return fcntl(file, F_SETLEASE, isWanted ? F_RDLCK : F_UNLCK);
#else
    (void)file;
    (void)isWanted;
    errno = EINVAL;
    return -1;
#endif
}

int csystem_exchange(const char *one, const char *other) {
#ifdef RENAME_EXCHANGE
    return renameat2(AT_FDCWD, one, AT_FDCWD, other, RENAME_EXCHANGE);
#else
    (void)one;
    (void)other;
    errno = ENOSYS;
    return -1;
#endif
}

// Part of the Swift runtime's library; no header of the toolchain declares it.
extern char *swift_demangle(const char *name, size_t length, char *buffer, size_t *size, unsigned flags);

char *csystem_demangle(const char *symbol) {
    return swift_demangle(symbol, strlen(symbol), NULL, NULL, 0);
}

const void *csystem_image(const void *address) {
    Dl_info found;
    return dladdr(address, &found) != 0 ? found.dli_fbase : NULL;
}

#ifdef __linux__
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
#else
void csystem_each_loaded(void (*body)(const char *path, void *context), void *context) {
    (void)body;
    (void)context;
}

const char *csystem_loaded_name(void *library) {
    (void)library;
    return NULL;
}

const char *csystem_libc_file(int index) {
    (void)index;
    return NULL;
}
#endif
