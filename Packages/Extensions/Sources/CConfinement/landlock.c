#define _GNU_SOURCE
#include "confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// The kernel's interface as of version 7. The headers of a distribution are often older than its kernel.

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#define SYS_landlock_restrict_self 446
#endif

// The rights of version 1 are the bits up to making links; those that no rule grants have no name.
enum {
    right_write_file = 1 << 1,
    right_read_file = 1 << 2,
    right_read_folder = 1 << 3,
    right_remove_folder = 1 << 4,
    right_remove_file = 1 << 5,
    right_make_folder = 1 << 7,
    right_make_file = 1 << 8,
    right_make_link = 1 << 12,
    right_refer = 1 << 13,     // version 2
    right_truncate = 1 << 14,  // version 3
    right_ioctl = 1 << 15,     // version 5
};

enum { right_bind_tcp = 1 << 0, right_connect_tcp = 1 << 1 };          // version 4
enum { scope_abstract_sockets = 1 << 0, scope_signals = 1 << 1 };      // version 6

struct rules {
    uint64_t files;
    uint64_t network;
    uint64_t scopes;
};

struct __attribute__((packed)) path_rule {
    uint64_t rights;
    int32_t place;
};

static uint64_t file_rights(int version) {
    uint64_t rights = (right_make_link << 1) - 1;
    if (version >= 2) rights |= right_refer;
    if (version >= 3) rights |= right_truncate;
    if (version >= 5) rights |= right_ioctl;
    return rights;
}

int confinement_rules_create(int version, bool network) {
    struct rules rules = {.files = file_rights(version)};
    size_t size = sizeof rules.files;
    if (version >= 4) {
        // A granted network is for outgoing connections.
        rules.network = network ? right_bind_tcp : right_bind_tcp | right_connect_tcp;
        size += sizeof rules.network;
    }
    if (version >= 6) {
        rules.scopes = scope_abstract_sockets | scope_signals;
        size += sizeof rules.scopes;
    }
    return (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
}

static uint64_t rights_of(enum confinement_access access) {
    switch (access) {
    case confinement_access_read: return right_read_file;
    case confinement_access_list:
    case confinement_access_pinned: return right_read_file | right_read_folder;
    case confinement_access_device: return right_read_file | right_write_file;
    // There are no links, pipes, sockets and devices: the host, or another program of the user, might follow or open them.
    case confinement_access_write:
        return right_read_file | right_read_folder | right_write_file | right_truncate | right_make_file
            | right_make_folder | right_remove_file | right_remove_folder | right_refer;
    }
    return 0;
}

int confinement_rules_add(int rules, int version, const char *path, enum confinement_access access) {
    int flags = O_PATH | O_CLOEXEC;
    if (access == confinement_access_write) flags |= O_NOFOLLOW | O_DIRECTORY;
    int place = open(path, flags);
    struct stat status;
    if (place < 0 || fstat(place, &status) != 0) return -1;
    uint64_t rights = rights_of(access) & file_rights(version);
    if (!S_ISDIR(status.st_mode)) rights &= right_read_file | right_write_file | right_truncate;
    struct path_rule rule = {.rights = rights, .place = place};
    int result = (int)syscall(SYS_landlock_add_rule, rules, 1, &rule, 0);
    int number = errno;
    if (access != confinement_access_pinned) close(place);
    errno = number;
    return result;
}

int confinement_rules_enforce(int rules) {
    int status = (int)syscall(SYS_landlock_restrict_self, rules, 0);
    int number = errno;
    close(rules);
    errno = number;
    return status;
}
