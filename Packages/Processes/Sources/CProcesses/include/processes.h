#ifndef CPROCESSES_PROCESSES_H
#define CPROCESSES_PROCESSES_H

#include <link.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/eventfd.h>

#include <gnu/lib-names.h>

// Linux functions that glibc declares only for _GNU_SOURCE, which Swift's importer doesn't define, and those with variable arguments.

// As in the C library.
int pipe2(int ends[_Nonnull 2], int flags);
int memfd_create(const char *_Nonnull name, unsigned flags);
enum { process_memory_flags = 3 /* MFD_CLOEXEC | MFD_ALLOW_SEALING */ };
int tgkill(int process, int thread, int number);
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *_Nonnull actions, const char *_Nonnull path);
enum { process_new_session = 0x80 /* POSIX_SPAWN_SETSID */ };
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *_Nonnull actions, int first);

// Returns the loader's first object. All loaded objects are linked in the order of loading, the program with an empty name first.
static inline const struct link_map *_Nullable process_first_object(void) { return _r_debug.r_map; }

// Makes a file in memory keep its size for ever, and its content if it `is_written`. Returns 0, or -1 with errno.
int process_seal(int file, bool is_written);

// Ends this process with its parent `parent`, at once if the parent has ended already, and keeps it from writing a core file.
void process_confine(int parent);

// Opens a descriptor that can be polled for the end of a child. Returns -1 if the system has none.
int process_open_handle(int process);

// Returns the bytes of memory that this process has allocated from the C library and not freed, or -1 if the library doesn't tell.
long process_allocated_bytes(void);

// Stream sockets between two processes that pass descriptors.

// Sends bytes, with descriptors attached to the first of them. Returns the number of sent bytes, or -1 with errno: EAGAIN if `waits` is
// false and nothing can be sent now, EPIPE if the other end is closed. Raises no signal.
long process_send(
    int socket, const void *_Nonnull bytes, size_t count, const int *_Nullable files, int file_count, bool waits);

// The largest number of descriptors that one call of process_send can pass.
#define PROCESS_SOCKET_FILES 16

// Receives bytes, and the descriptors attached to them, which programs do not inherit. Stores the number of descriptors in `file_count`,
// or -1 if some were lost; then the others are closed. Returns the number of bytes, 0 at the end, or -1 with errno: EAGAIN if `waits` is false
// and nothing has arrived.
long process_receive(
    int socket, void *_Nonnull bytes, size_t count, int files[_Nonnull PROCESS_SOCKET_FILES], int *_Nonnull file_count,
    bool waits);

// A note in memory that two processes share, in which one of them describes its crash or hang for the other. After the note come the lines of
// the stack's frames, as in a crash report.

// The signal with which the host requests the main queue's stack. libdispatch's threads don't block it.
#define PROCESS_STACK_SIGNAL SIGPROF
// The number of bytes for the lines of the frames, more than a handler writes.
#define PROCESS_FRAMES_SIZE 65536

// The note. It is all zero until the process has crashed or has answered a request for its stack, and may contain anything if its code is
// hostile.
typedef struct process_crash {
    // The signal of the crash, or PROCESS_STACK_SIGNAL.
    int32_t signal;
    // The number of the thread.
    int32_t thread;
    // The private writable memory of the process at that moment, in bytes, or 0 if it is unknown.
    uint64_t memory;
} process_crash_t;

// Makes this process write the note when a fault or an abort ends it, or when its host requests its stack. Returns 0, or -1 with errno.
int process_crash_install(int file);

#endif
