#define _GNU_SOURCE
#include "crash_lines.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { DIGITS = 24 };

void line_add(struct line *line, const char *text) {
    size_t length = strlen(text);
    if (length > sizeof line->bytes - 1 - line->size) length = sizeof line->bytes - 1 - line->size;
    memcpy(line->bytes + line->size, text, length);
    line->size += length;
}

void line_add_number(struct line *line, uint64_t number, unsigned base) {
    char digits[DIGITS] = {0};
    size_t start = DIGITS - 1;
    do digits[--start] = "0123456789abcdef"[number % base];
    while (number /= base);
    line_add(line, digits + start);
}

void line_write(struct line *line) {
    line->bytes[line->size++] = '\n';
    while (write(line->file, line->bytes, line->size) < 0 && errno == EINTR) continue;
    line->size = 0;
}

size_t crash_memory(int file, int field) {
    char text[256];
    ssize_t size = pread(file, text, sizeof text, 0);
    size_t pages = 0;
    for (ssize_t i = 0; i < size && field >= 0; i++) {
        bool is_digit = text[i] >= '0' && text[i] <= '9';
        if (!is_digit) field--;
        else if (field == 0) pages = pages * 10 + (size_t)(text[i] - '0');
    }
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

struct interrupted interrupted_by_signal(const ucontext_t *context) {
    struct interrupted at = {0};
#if defined(__x86_64__)
    at.code = (uintptr_t)context->uc_mcontext.gregs[REG_RIP];
    // The stack pointer may be wrong. A confined process may not read so, and does without.
    struct iovec local = {&at.caller, sizeof at.caller};
    struct iovec remote = {(void *)context->uc_mcontext.gregs[REG_RSP], sizeof at.caller};
    if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) < 0) at.caller = 0;
#elif defined(__aarch64__)
    at.code = (uintptr_t)context->uc_mcontext.pc;
    at.caller = (uintptr_t)context->uc_mcontext.regs[30];
#else
    (void)context;
#endif
    return at;
}
