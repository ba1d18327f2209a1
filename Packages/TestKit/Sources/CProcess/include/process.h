#ifndef PROCESS_H
#define PROCESS_H

#include <stddef.h>
#include <sys/types.h>

// Each function returns 0 or an error number and can be called from any thread.

// The properties of a new process. The descriptors stay open in the caller and become 0, 1 and 2 of the process.
struct process_request {
    // The file to execute. It is not searched for.
    const char *_Nonnull path;
    // NULL-terminated. The first one is the name of the program.
    char *_Nullable const *_Nonnull arguments;
    // NULL-terminated, each `NAME=value`.
    char *_Nullable const *_Nonnull environment;
    // The working folder, or NULL for the caller's.
    const char *_Nullable folder;
    // The device of a terminal, or NULL. It becomes input, output, error and controlling terminal of a new session. With NULL, the three
    // descriptors are used, and the process leads a new process group.
    const char *_Nullable terminal;
    int input;
    int output;
    int error;
};

// Starts a process with all signals unblocked, the default action for SIGPIPE, and no open descriptors except the three.
int process_start(const struct process_request *_Nonnull request, pid_t *_Nonnull process);

// Creates a close-on-exec pipe: ends[0] to read, ends[1] to write.
int process_pipe(int ends[_Nonnull 2]);

// Creates a close-on-exec pseudo-terminal. `*controller` is the side of the user; the path of the device is written to `device`, at most
// `size` bytes with the final NUL.
int process_terminal(int *_Nonnull controller, char *_Nonnull device, size_t size);

#endif
