#ifndef CSYSTEM_STACK_FRAMES_H
#define CSYSTEM_STACK_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sys/types.h>
#include <ucontext.h>

// The calls on the stack of a thread that a signal has interrupted. All functions are async-signal-safe.

// The registers that locate the interrupted code.
struct stack_registers {
    // The interrupted instruction.
    uintptr_t code;
    // The return address of a function that has no frame yet, or of a call to an invalid address; otherwise any word.
    uintptr_t caller;
    uintptr_t stack;
    uintptr_t frame;
};

struct stack_registers stack_registers_of(const ucontext_t *_Nonnull context);

// Reads memory that may not be mapped: by process_vm_readv, or through a file after stack_peek_through.
bool stack_peek(uintptr_t address, void *_Nonnull into, size_t size);

// Makes stack_peek copy memory through some bytes of a file, for processes that may not call process_vm_readv.
void stack_peek_through(int file, off_t offset, size_t size);

// Calls `body` with the return address of each frame, innermost first, until it returns false. Code that was compiled without
// frame pointers is skipped together with its callers.
void stack_each_return(
    struct stack_registers at, bool (*_Nonnull body)(uintptr_t address, void *_Nullable context), void *_Nullable context);

#endif
