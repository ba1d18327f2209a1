#ifndef CSYSTEM_SOCKETS_H
#define CSYSTEM_SOCKETS_H

#include <stdbool.h>
#include <stddef.h>

// Stream sockets between two processes that pass descriptors, and the start of the second process.

// Creates two connected sockets, which programs do not inherit. Returns 0, or -1 with errno.
int csystem_socket_pair(int ends[_Nonnull 2]);

// Creates a pipe whose ends never block, and which programs do not inherit. Returns 0, or -1 with errno.
int csystem_pipe(int ends[_Nonnull 2]);

// Sends bytes, with descriptors attached to the first of them. Returns the number of sent bytes, or -1 with errno: EAGAIN if `waits` is
// false and nothing can be sent now, EPIPE if the other end is closed. Raises no signal.
long csystem_send(
    int socket, const void *_Nonnull bytes, size_t count, const int *_Nullable files, int file_count, bool waits);

// The largest number of descriptors that one call of csystem_send can pass.
#define CSYSTEM_SOCKET_FILES 16

// Receives bytes, and the descriptors attached to them, which programs do not inherit. Stores the number of descriptors in `file_count`,
// or -1 if some were lost; then the others are closed. Returns the number of bytes, 0 at the end, or -1 with errno: EAGAIN if `waits` is false
// and nothing has arrived.
long csystem_receive(
    int socket, void *_Nonnull bytes, size_t count, int files[_Nonnull CSYSTEM_SOCKET_FILES], int *_Nonnull file_count,
    bool waits);

// Starts a program that inherits the given descriptors as 3, 4 and so on, `output` as 1 and 2, and no others. Its standard input is empty,
// its signals have their default actions. The program is started by a thread that lives as long as this process, because the parent of a
// process is, for PR_SET_PDEATHSIG, the thread that started it. Returns 0 and the process's number, or an error number.
int csystem_spawn(
    const char *_Nonnull program, char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment,
    const int *_Nonnull files, int file_count, int output, int *_Nonnull process);

// Starts a program as csystem_spawn does, in a session of its own, so that it lives on when this process or its terminal ends.
int csystem_spawn_detached(
    const char *_Nonnull program, char *_Nullable const *_Nonnull arguments, char *_Nullable const *_Nonnull environment,
    int *_Nonnull process);

// Opens a descriptor that can be polled for the end of a child. Returns -1 if the system has none.
int csystem_open_process(int process);

#endif
