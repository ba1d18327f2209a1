#define _GNU_SOURCE
#include "stack_frames.h"

#include <sys/uio.h>
#include <unistd.h>

enum { FRAMES = 128 };

static int scratch = -1;
static off_t scratch_offset;
static size_t scratch_size;

void stack_peek_through(int file, off_t offset, size_t size) {
    scratch = file;
    scratch_offset = offset;
    scratch_size = size;
}

bool stack_peek(uintptr_t address, void *into, size_t size) {
    if (scratch >= 0) {
        // The kernel reports memory that is not mapped as an error.
        return size <= scratch_size && pwrite(scratch, (void *)address, size, scratch_offset) == (ssize_t)size &&
               pread(scratch, into, size, scratch_offset) == (ssize_t)size;
    }
    struct iovec local = {into, size}, remote = {(void *)address, size};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == (ssize_t)size;
}

struct stack_registers stack_registers_of(const ucontext_t *context) {
    struct stack_registers at = {0};
#if defined(__x86_64__)
    at.code = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
    at.stack = (uintptr_t)context->uc_mcontext.gregs[REG_RSP];
    at.frame = (uintptr_t)context->uc_mcontext.gregs[REG_RBP];
    if (!stack_peek(at.stack, &at.caller, sizeof at.caller)) at.caller = 0;
#elif defined(__aarch64__)
    at.code = (uintptr_t)context->uc_mcontext.pc;
    at.stack = (uintptr_t)context->uc_mcontext.sp;
    at.frame = (uintptr_t)context->uc_mcontext.regs[29];
    at.caller = (uintptr_t)context->uc_mcontext.regs[30];
#else
    (void)context;
#endif
    return at;
}

void stack_each_return(
    struct stack_registers at, bool (*body)(uintptr_t address, void *context), void *context) {
    uintptr_t frame = at.frame;
    for (int i = 0; i < FRAMES; i++) {
        uintptr_t pair[2];
        if (frame % sizeof *pair || !stack_peek(frame, pair, sizeof pair)) return;
        if (!body(pair[1], context) || pair[0] <= frame) return;
        frame = pair[0];
    }
}
