#ifndef CSYSTEM_THREADS_H
#define CSYSTEM_THREADS_H

// Threads without libdispatch, which waits for ever and without a word when the system gives it no thread.

// Starts a detached thread that takes all signals. 0, or an error number: EAGAIN when the system gives no thread.
int csystem_start_thread(void (*_Nonnull body)(void *_Nonnull context), void *_Nonnull context);

// Starts a thread like those of libdispatch that does nothing. 0, or an error number when the system gives none.
int csystem_try_thread(void);

// Loads what csystem_stack needs. It may not be loaded then: a library that hangs while it is loaded has the loader's lock.
void csystem_stack_prepare(void);

// The addresses of code on the stack of another thread of this process, innermost first. The signal SIGPROF asks the thread, which
// libdispatch blocks on none of its threads.
//
// thread: as csystem_thread() numbers it; 0 for the one that runs the main queue.
// Returns how many there are; 0 when the thread does not answer within a second.
int csystem_stack(long thread, const void *_Nullable *_Nonnull addresses, int limit);

struct csystem_place {
    // The name that the loader knows the library by; NULL for memory that nothing was loaded to.
    const char *_Nullable file;
    // From the library's start.
    unsigned long offset;
    // The exported symbol that the address lies in; NULL for none.
    const char *_Nullable symbol;
};
// The place of an address of code in what is loaded. Waits for no lock.
struct csystem_place csystem_place(const void *_Nonnull address);

#endif
