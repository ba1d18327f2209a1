#ifndef CSYSTEM_THREADS_H
#define CSYSTEM_THREADS_H

#include <stdbool.h>

// Threads without libdispatch, which waits silently and forever when the system refuses it a thread.

// Starts a detached thread that receives all signals. Returns 0, or an error number: EAGAIN when the system refuses a thread.
int csystem_start_thread(void (*_Nonnull body)(void *_Nonnull context), void *_Nonnull context);

// Starts a thread like those of libdispatch that does nothing. Returns 0, or an error number when the system refuses a thread.
int csystem_try_thread(void);

// Loads the libraries that csystem_stack needs, in advance: a library that hangs while it is loaded holds the loader's lock.
void csystem_stack_prepare(void);

// Returns whether the calling thread runs the main queue, or is the initial thread and waits in dispatch_main(). Async-signal-safe.
bool csystem_may_run_main_queue(void);

// Sends a signal to each thread of a process except the initial one and the caller. libdispatch's threads don't block SIGPROF.
void csystem_signal_threads(int process, int number);

// Collects the code addresses on the stack of another thread of this process, innermost first. The signal SIGPROF, which no
// thread of libdispatch blocks, asks the thread for them.
//
// thread: the number of the thread as from csystem_thread(), or 0 for the thread that runs the main queue. If no other thread runs it,
// the initial one answers.
// Returns the number of addresses, or 0 if no thread answers within a second; for thread 0, the others have a tenth of a second before.
int csystem_stack(long thread, const void *_Nullable *_Nonnull addresses, int limit);

struct csystem_place {
    // The loader's name of the library, or NULL when no loaded object contains the address.
    const char *_Nullable file;
    // The offset from the start of the library.
    unsigned long offset;
    // The exported symbol at the address, or NULL.
    const char *_Nullable symbol;
};
// Returns the library, offset and symbol of a code address, without waiting for a lock.
struct csystem_place csystem_place(const void *_Nonnull address);

#endif
