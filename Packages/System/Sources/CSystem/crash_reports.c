#define _GNU_SOURCE
#include "code_owners.h"
#include "crash_notes.h"
#include "crash_reports.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { PATH = 4096, DIGITS = 24 };

static char folder[PATH];

// Of this model, because a signal handler must not make the loader allocate the variable.
static _Thread_local const char *sender_here __attribute__((tls_model("initial-exec")));

struct sender {
    struct sender *next;
    char text[];
};

const char *crash_notes_sender(const char *text) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static struct sender *all;
    pthread_mutex_lock(&mutex);
    struct sender *sender = all;
    while (sender && strcmp(sender->text, text) != 0) sender = sender->next;
    if (!sender && (sender = malloc(sizeof *sender + strlen(text) + 1))) {
        strcpy(sender->text, text);
        sender->next = all;
        all = sender;
    }
    pthread_mutex_unlock(&mutex);
    return sender ? sender->text : NULL;
}

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

void line_write(struct line *line, int file) {
    line->bytes[line->size++] = '\n';
    while (write(file, line->bytes, line->size) < 0 && errno == EINTR) continue;
    line->size = 0;
}

struct report {
    int file;
    struct line line;
};

static void write_fact(struct report *report, const char *name, uint64_t number) {
    line_add(&report->line, name);
    line_add_number(&report->line, number, 10);
    line_write(&report->line, report->file);
}

static void write_frame(struct report *report, uintptr_t address) {
    const struct link_map *map = code_owners_image(address);
    const char *owner = code_owners_at(address).owner;
    line_add(&report->line, "frame ");
    line_add_number(&report->line, address - (map ? map->l_addr : 0), 16);
    line_add(&report->line, " ");
    // The program itself has an empty name.
    line_add(&report->line, owner ? owner : !map ? "-" : *map->l_name ? map->l_name : "program");
    line_write(&report->line, report->file);
}

static bool write_return(uintptr_t address, void *report) {
    if (address == 0) return false;
    // A return address may lie just past the end of a function that never returns.
    write_frame(report, address - 1);
    return true;
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
static bool begin(struct report *report, int number, long thread, const char *sender) {
    if (!crash_reports_are_on()) return false;
    uint64_t now = (uint64_t)time(NULL);
    report->line.size = 0;
    report->file = create(&report->line, now);
    if (report->file < 0) return false;
    line_add(&report->line, "crash report 1");
    line_write(&report->line, report->file);
    if (number > 0) write_fact(report, "signal ", (uint64_t)number);
    write_fact(report, "time ", now);
    write_fact(report, "process ", (uint64_t)getpid());
    write_fact(report, "thread ", (uint64_t)thread);
    if (sender) {
        line_add(&report->line, "sender ");
        line_add(&report->line, sender);
        line_write(&report->line, report->file);
    }
    return true;
}

// The callers of some code. They come after the frames of the signal handler, which are skipped.
struct callers {
    struct report *report;
    uintptr_t code;
    bool is_after_handler;
};

static bool write_caller(uintptr_t address, void *context) {
    struct callers *callers = context;
    if (callers->is_after_handler) write_frame(callers->report, address);
    else callers->is_after_handler = address == callers->code;
    return true;
}

static void write_frames(struct report *report, int number, struct stack_registers at) {
    write_frame(report, at.code);
    if (number == SIGABRT || number == CSYSTEM_STACK_SIGNAL) {
        // The C library's functions have no frame pointers. The stack of a thread that calls abort or hangs is intact, so the tables
        // for exceptions can be used instead.
        struct callers callers = {report, at.code, false};
        code_owners_each_caller(write_caller, &callers);
        if (callers.is_after_handler) return;
    }
    stack_each_return(at, write_return, report);
}

void crash_reports_write_frames(int file, int number, struct stack_registers at) {
    struct report report;
    report.file = file;
    report.line.size = 0;
    write_frames(&report, number, at);
}

void crash_reports_write(int number, struct stack_registers at) {
    struct report report;
    if (!begin(&report, number, gettid(), sender_here)) return;
    write_frames(&report, number, at);
    close(report.file);
}

void crash_notes_report_hang(long thread, const void *const *addresses, int count) {
    struct report report;
    if (!begin(&report, 0, thread, NULL)) return;
    for (int i = 0; i < count; i++) write_frame(&report, (uintptr_t)addresses[i] - (i > 0));
    close(report.file);
}

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

size_t memory_in(const char *text, ssize_t size, int field) {
    size_t pages = 0;
    for (ssize_t i = 0; i < size && field >= 0; i++) {
        bool is_digit = text[i] >= '0' && text[i] <= '9';
        if (!is_digit) field--;
        else if (field == 0) pages = pages * 10 + (size_t)(text[i] - '0');
    }
    return pages * (size_t)sysconf(_SC_PAGESIZE);
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
    for (int i = 0; i < 128; i++) {
        uintptr_t pair[2];
        if (frame % sizeof *pair || !stack_peek(frame, pair, sizeof pair)) return;
        if (!body(pair[1], context) || pair[0] <= frame) return;
        frame = pair[0];
    }
}
