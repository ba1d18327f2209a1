#define _GNU_SOURCE
#include "code_owners.h"
#include "crash_notes.h"
#include "crash_reports.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { PATH = 4096, DIGITS = 24, FRAMES = 128 };

static char folder[PATH];

// Of this model, because a signal handler must not make the loader allocate the variable.
static _Thread_local const char *sender_here __attribute__((tls_model("initial-exec")));

const char *crash_notes_handle(const char *sender) {
    const char *before = sender_here;
    sender_here = sender;
    return before;
}

bool crash_reports_begin(const char *path) {
    size_t length = strlen(path);
    if (length + 2 * DIGITS >= PATH) return false;
    // Unchanged bytes are written again, so that a handler on another thread always finds a whole path.
    memcpy(folder, path, length + 1);
    return true;
}

bool crash_reports_are_on(void) { return folder[0] != 0; }

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

static void write_fact(struct line *line, const char *name, uint64_t number) {
    line_add(line, name);
    line_add_number(line, number, 10);
    line_write(line);
}

static void write_frame(struct line *line, uintptr_t address) {
    const struct link_map *map = code_owners_image(address);
    const char *owner = code_owners_at(address).owner;
    line_add(line, "frame ");
    line_add_number(line, address - (map ? map->l_addr : 0), 16);
    line_add(line, " ");
    // The program itself has an empty name.
    line_add(line, owner ? owner : !map ? "-" : *map->l_name ? map->l_name : "program");
    line_write(line);
}

static int create(struct line *path, uint64_t now) {
    line_add(path, folder);
    line_add(path, "/");
    line_add_number(path, now, 10);
    line_add(path, "-");
    line_add_number(path, (uint64_t)getpid(), 10);
    path->bytes[path->size] = 0;
    path->size = 0;
    int options = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int file = open(path->bytes, options, 0600);
    if (file < 0 && errno == ENOENT && mkdir(folder, 0755) == 0) file = open(path->bytes, options, 0600);
    return file;
}

// Creates the file of a report and writes the lines before its frames. A hang has no signal.
static bool begin(struct line *line, int number, long thread, const char *sender) {
    if (!crash_reports_are_on()) return false;
    uint64_t now = (uint64_t)time(NULL);
    line->size = 0;
    line->file = create(line, now);
    if (line->file < 0) return false;
    line_add(line, "crash report 1");
    line_write(line);
    if (number > 0) write_fact(line, "signal ", (uint64_t)number);
    write_fact(line, "time ", now);
    write_fact(line, "process ", (uint64_t)getpid());
    write_fact(line, "thread ", (uint64_t)thread);
    if (sender) {
        line_add(line, "sender ");
        line_add(line, sender);
        line_write(line);
    }
    return true;
}

// The callers of some code. They come after the frames of the signal handler, which are skipped.
struct callers {
    struct line *line;
    uintptr_t code;
    bool is_after_handler;
    int count;
};

static bool write_caller(uintptr_t address, void *context) {
    struct callers *callers = context;
    if (callers->is_after_handler) write_frame(callers->line, address);
    else callers->is_after_handler = address == callers->code;
    return ++callers->count < FRAMES;
}

static void write_frames(struct line *line, struct interrupted at) {
    write_frame(line, at.code);
    struct callers callers = {line, at.code, false, 0};
    code_owners_each_caller(write_caller, &callers);
    // No table leads back from an invalid address.
    if (!callers.is_after_handler && at.caller) write_frame(line, at.caller - 1);
}

void crash_reports_write_frames(int file, const ucontext_t *context) {
    struct line line = {.file = file};
    write_frames(&line, interrupted_by_signal(context));
}

void crash_reports_write(int number, struct interrupted at) {
    struct line line;
    if (!begin(&line, number, gettid(), sender_here)) return;
    write_frames(&line, at);
    close(line.file);
}

void crash_notes_report_hang(long thread, const uintptr_t *addresses, size_t count) {
    struct line line;
    if (!begin(&line, 0, thread, NULL)) return;
    for (size_t i = 0; i < count; i++) write_frame(&line, addresses[i] - (i > 0));
    close(line.file);
}

size_t crash_reports_memory(int file, int field) {
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
