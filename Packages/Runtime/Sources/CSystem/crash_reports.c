#define _GNU_SOURCE
#include "crash_reports.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "code_owners.h"
#include "crash_notes.h"

enum { PATH = 4096, LINE = 4352, DIGITS = 24 };

static char folder[PATH];
// False if the user has chosen what becomes of Swift's backtraces.
static bool is_printed_here;

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
    is_printed_here = !getenv("SWIFT_BACKTRACE");
    return true;
}

bool crash_reports_are_on(void) { return folder[0] != 0; }

struct line {
    char bytes[LINE];
    size_t size;
};

static void add(struct line *line, const char *text) {
    size_t length = strlen(text);
    if (length > LINE - 1 - line->size) length = LINE - 1 - line->size;
    memcpy(line->bytes + line->size, text, length);
    line->size += length;
}

static void add_number(struct line *line, uint64_t number) {
    char digits[DIGITS] = {0};
    size_t start = DIGITS - 1;
    do digits[--start] = (char)('0' + number % 10);
    while (number /= 10);
    add(line, digits + start);
}

static void write_line(int file, struct line *line) {
    line->bytes[line->size++] = '\n';
    while (write(file, line->bytes, line->size) < 0 && errno == EINTR) continue;
    line->size = 0;
}

static void write_text(int file, struct line *line, const char *name, const char *text) {
    if (!text) return;
    add(line, name);
    add(line, text);
    write_line(file, line);
}

static void write_fact(int file, struct line *line, const char *name, uint64_t number) {
    add(line, name);
    add_number(line, number);
    write_line(file, line);
}

static int create(struct line *path, uint64_t now) {
    add(path, folder);
    add(path, "/");
    add_number(path, now);
    add(path, "-");
    add_number(path, (uint64_t)getpid());
    path->bytes[path->size] = 0;
    path->size = 0;
    int options = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    int file = open(path->bytes, options, 0600);
    if (file < 0 && errno == ENOENT && mkdir(folder, 0755) == 0) file = open(path->bytes, options, 0600);
    return file;
}

// Remembers the first bundle whose code is on the stack.
static bool find_owner(uintptr_t address, void *owner) {
    // A return address may lie just past the end of a function that never returns.
    if (address > 0) *(const char **)owner = code_owners_at(address - 1).owner;
    return !*(const char **)owner;
}

static const char *owner_at(int number, struct stack_registers at) {
    const char *owner = code_owners_at(at.code).owner;
    // The C library's functions have no frame pointers. The stack of a thread that calls abort is intact, so the tables for exceptions can
    // be used instead.
    if (!owner && number == SIGABRT) code_owners_each_caller(find_owner, &owner);
    if (!owner) stack_each_return(at, find_owner, &owner);
    return owner;
}

// Makes what this process prints from now on part of a file. It has no input any more: on a terminal, Swift's handler would wait for a key.
static void print_into(int file) {
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    if (nothing >= 0) dup2(nothing, STDIN_FILENO);
    dup2(file, STDOUT_FILENO);
    dup2(file, STDERR_FILENO);
}

void crash_reports_write(int number, struct stack_registers at, bool is_last) {
    if (!crash_reports_are_on()) return;
    struct line line;
    line.size = 0;
    uint64_t now = (uint64_t)time(NULL);
    int file = create(&line, now);
    if (file < 0) return;
    add(&line, "crash report 1");
    write_line(file, &line);
    write_fact(file, &line, "signal ", (uint64_t)number);
    write_fact(file, &line, "time ", now);
    write_fact(file, &line, "process ", (uint64_t)getpid());
    write_fact(file, &line, "thread ", (uint64_t)csystem_thread());
    write_text(file, &line, "sender ", sender_here);
    write_text(file, &line, "code ", owner_at(number, at));
    write_line(file, &line);
    if (is_last && is_printed_here) print_into(file);
    close(file);
}
