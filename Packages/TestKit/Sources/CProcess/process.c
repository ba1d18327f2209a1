#define _GNU_SOURCE

#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <unistd.h>

// Closes descriptors of the caller that are not marked close-on-exec.
static int close_others(posix_spawn_file_actions_t *actions) {
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 34)
    return posix_spawn_file_actions_addclosefrom_np(actions, 3);
#else
    (void)actions;
    return 0;
#endif
}

static int set_actions(posix_spawn_file_actions_t *actions, const struct process_request *request) {
    int error = 0;
    if (request->folder) error = posix_spawn_file_actions_addchdir_np(actions, request->folder);
    if (error) return error;
    if (request->terminal) {
        // The device becomes the controlling terminal because the leader of a new session opens it.
        error = posix_spawn_file_actions_addopen(actions, 0, request->terminal, O_RDWR, 0);
        if (!error) error = posix_spawn_file_actions_adddup2(actions, 0, 1);
        if (!error) error = posix_spawn_file_actions_adddup2(actions, 0, 2);
        return error ? error : close_others(actions);
    }
    error = posix_spawn_file_actions_adddup2(actions, request->input, 0);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, request->output, 1);
    if (!error) error = posix_spawn_file_actions_adddup2(actions, request->error, 2);
    return error ? error : close_others(actions);
}

static int set_attributes(posix_spawnattr_t *attributes, const struct process_request *request) {
    sigset_t none, restored;
    sigemptyset(&none);
    sigemptyset(&restored);
    // The tests' own process may ignore signals, for example under nohup(1), and a program would inherit that.
    const int signals[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM};
    for (size_t index = 0; index < sizeof signals / sizeof *signals; index++) sigaddset(&restored, signals[index]);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (!error) error = posix_spawnattr_setsigdefault(attributes, &restored);
    if (!error) error = posix_spawnattr_setpgroup(attributes, 0);
    int flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
    flags |= request->terminal ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP;
    if (!error) error = posix_spawnattr_setflags(attributes, (short)flags);
    return error;
}

int process_start(const struct process_request *request, pid_t *process) {
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);
    if (error) return error;
    posix_spawnattr_t attributes;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        error = set_actions(&actions, request);
        if (!error) error = set_attributes(&attributes, request);
        if (!error) {
            error = posix_spawn(
                process, request->path, &actions, &attributes, request->arguments, request->environment);
        }
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int process_pipe(int ends[2]) {
    return pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
}

int process_terminal(int *controller, char *device, size_t size) {
    int descriptor = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (descriptor < 0) return errno;
    int error = 0;
    if (grantpt(descriptor) != 0 || unlockpt(descriptor) != 0) {
        error = errno;
    } else if (ptsname_r(descriptor, device, size) != 0) {
        error = errno ? errno : ERANGE;
    }
    if (error) {
        close(descriptor);
        return error;
    }
    *controller = descriptor;
    return 0;
}
