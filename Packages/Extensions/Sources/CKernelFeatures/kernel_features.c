#define _GNU_SOURCE
#include "kernel_features.h"

#include <errno.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

// The headers of a distribution are often older than its kernel.
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif

int kernel_landlock_version(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
    if (version >= 0) return (int)version;
    return errno == EOPNOTSUPP ? -1 : 0;
}

bool kernel_has_filters(void) { return prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0; }
