#define _GNU_SOURCE
#include "confinement.h"

#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

int confinement_thread_count(void) {
    // Each thread is a folder, and so a link of this one; "." and the parent's entry are two more.
    struct stat status;
    if (stat("/proc/self/task", &status) != 0) return -1;
    return (int)status.st_nlink - 2;
}

int confinement_no_new_privileges(void) { return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); }

int confinement_new_session(void) {
    // Files are the user's alone. The filter lets no mode be changed later.
    umask(S_IRWXG | S_IRWXO);
    // A launcher may have created the session already.
    if (getsid(0) == getpid()) return 0;
    return setsid() < 0 ? -1 : 0;
}

int confinement_drop_capabilities(void) {
    // Only CAP_SETPCAP allows clearing the bounding set. Without it, the flag for no new privileges has the same effect.
    for (unsigned long capability = 0; prctl(PR_CAPBSET_READ, capability, 0, 0, 0) >= 0; capability++) {
        if (prctl(PR_CAPBSET_DROP, capability, 0, 0, 0) != 0 && errno != EPERM) return -1;
    }
    // Linux before 4.3 has no ambient capabilities.
    if (prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0) != 0 && errno != EINVAL) return -1;
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3];
    memset(none, 0, sizeof none);
    if (syscall(SYS_capset, &header, none) != 0) return -1;
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

int confinement_set_limit(enum confinement_limit limit, uint64_t value) {
    struct rlimit present;
    if (getrlimit((int)limit, &present) != 0) return -1;
    rlim_t soft = value < present.rlim_max ? value : present.rlim_max;
    // SIGXCPU comes first and tells the host the reason; SIGKILL follows a second later.
    rlim_t margin = limit == confinement_limit_processor_seconds ? 1 : 0;
    rlim_t hard = soft + margin < present.rlim_max ? soft + margin : present.rlim_max;
    struct rlimit wanted = {.rlim_cur = soft, .rlim_max = hard};
    return setrlimit((int)limit, &wanted);
}

int confinement_follow_parent(int32_t parent) {
    if (prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0) != 0) return -1;
    // A parent that ended before the call above sends no signal.
    if (getppid() != parent) kill(getpid(), SIGKILL);
    return 0;
}

void confinement_close_descriptors(int32_t first) { closefrom(first); }

int confinement_reset_signals(void) {
    for (int number = 1; number < NSIG; number++) {
        struct sigaction action;
        if (sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN) signal(number, SIG_DFL);
    }
    sigset_t none;
    sigemptyset(&none);
    return sigprocmask(SIG_SETMASK, &none, NULL);
}

void confinement_clear_environment(void) {
    static const char *const kept[] = {
        "HOME", "LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC",
        "LC_TIME", "TMPDIR", "TZ",
    };
    if (environ == NULL) return;
    char **last = environ;
    for (char **variable = environ; *variable != NULL; variable++) {
        bool is_kept = false;
        for (size_t index = 0; index < sizeof kept / sizeof *kept; index++) {
            size_t length = strlen(kept[index]);
            is_kept |= strncmp(*variable, kept[index], length) == 0 && (*variable)[length] == '=';
        }
        if (is_kept) {
            *last++ = *variable;
        } else {
            memset(*variable, 0, strlen(*variable));
        }
    }
    *last = NULL;
}

bool confinement_exists(const char *path) { return access(path, F_OK) == 0; }
