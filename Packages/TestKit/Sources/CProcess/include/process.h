#ifndef PROCESS_H
#define PROCESS_H

#include <stddef.h>
#include <sys/types.h>

// Every function returns 0 or an error number, and is safe to call from any thread.

// What a new process is given. Descriptors stay open in the caller, and become 0, 1 and 2 of the process.
struct process_request {
    // Executed as it is; no search path.
    const char *_Nonnull path;
    // NULL-terminated; the first is the name of the program.
    char *_Nullable const *_Nonnull arguments;
    // NULL-terminated `NAME=value`.
    char *_Nullable const *_Nonnull environment;
    // Working folder, or NULL for the caller's.
    const char *_Nullable folder;
    // A terminal's device, which becomes input, output, error and the controlling terminal of a new session; or NULL, and
    // the three descriptors count, and the process leads a new process group.
    const char *_Nullable terminal;
    int input;
    int output;
    int error;
};

// Starts a process with no signal blocked, SIGPIPE as it is by default, and no open descriptor but the three.
int process_start(const struct process_request *_Nonnull request, pid_t *_Nonnull process);

// A pipe that no child inherits: ends[0] to read, ends[1] to write.
int process_pipe(int ends[_Nonnull 2]);

// A pseudo-terminal that no child inherits: `*controller` is the side of the one who types; the device's path goes into
// `device`, at most `size` bytes with the final NUL.
int process_terminal(int *_Nonnull controller, char *_Nonnull device, size_t size);

#endif
