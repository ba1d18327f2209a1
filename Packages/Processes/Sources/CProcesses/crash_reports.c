#define _GNU_SOURCE
#include "crash_reports.h"
#include "code_owners.h"
#include "crash_notes.h"
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH = 4096, DIGITS = 24, FRAMES = 128, IMAGES = 32 };

static char folder[PATH];

// Of this model, because a signal handler must not make the loader allocate the variable.
static _Thread_local const char *sender_here __attribute__((tls_model("initial-exec")));

const char *crash_reports_handle(const char *sender) {
    const char *before = sender_here;
    sender_here = sender;
    return before;
}

static void write_fact(struct line *line, const char *name, uint64_t number) {
    line_add(line, name);
    line_add_number(line, number, 10);
    line_write(line);
}

// The libraries with code on a stack, each with an address in it.
struct images {
    struct {
        const struct link_map *map;
        uintptr_t address;
    } all[IMAGES];
    int count;
};

static void add_owner(struct line *line, const struct link_map *map, uintptr_t address) {
    const char *owner = code_owners_at(address).owner;
    line_add(line, " ");
    // The program itself has an empty name.
    line_add(line, owner ? owner : !map ? "-" : *map->l_name ? map->l_name : "program");
    line_write(line);
}

static void write_frame(struct line *line, uintptr_t address, struct images *images) {
    const struct link_map *map = csystem_image(address);
    line_add(line, "frame ");
    line_add_number(line, address - (map ? map->l_addr : 0), 16);
    add_owner(line, map, address);
    for (int i = 0; i < images->count; i++)
        if (images->all[i].map == map) return;
    if (!map || images->count == IMAGES) return;
    images->all[images->count].map = map;
    images->all[images->count++].address = address;
}

// Writes the build ID of a library, if its linker has given it one. The notes are in the memory of the library, beside its headers.
static void write_build(struct line *line, const struct link_map *map, uintptr_t address) {
    const ElfW(Ehdr) *header = (const void *)map->l_addr;
    // A program that cannot be moved has no headers there.
    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
    const ElfW(Phdr) *part = (const void *)(map->l_addr + header->e_phoff);
    for (const ElfW(Phdr) *end = part + header->e_phnum; part < end; part++) {
        if (part->p_type != PT_NOTE) continue;
        size_t padding = part->p_align == 8 ? 7 : 3, place = 0;
        const uint8_t *notes = (const void *)(map->l_addr + part->p_vaddr);
        while (place + sizeof(ElfW(Nhdr)) <= part->p_memsz) {
            const ElfW(Nhdr) *note = (const void *)(notes + place);
            size_t name = place + sizeof *note, content = (name + note->n_namesz + padding) & ~padding;
            if (content + note->n_descsz > part->p_memsz) break;
            place = (content + note->n_descsz + padding) & ~padding;
            if (note->n_type != NT_GNU_BUILD_ID || note->n_namesz != 4 || memcmp(notes + name, "GNU", 4) != 0) continue;
            line_add(line, "build ");
            for (size_t i = content; i < content + note->n_descsz; i++) {
                line_add_number(line, notes[i] >> 4, 16);
                line_add_number(line, notes[i] & 15, 16);
            }
            return add_owner(line, map, address);
        }
    }
}

static void write_builds(struct line *line, const struct images *images) {
    for (int i = 0; i < images->count; i++) write_build(line, images->all[i].map, images->all[i].address);
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
    if (!*folder) return false;
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
    struct images images;
};

static bool write_caller(uintptr_t address, void *context) {
    struct callers *callers = context;
    if (callers->is_after_handler) write_frame(callers->line, address, &callers->images);
    else callers->is_after_handler = address == callers->code;
    return ++callers->count < FRAMES;
}

static void write_frames(struct line *line, struct interrupted at) {
    struct callers callers = {.line = line, .code = at.code};
    write_frame(line, at.code, &callers.images);
    csystem_each_caller(write_caller, &callers);
    // No table leads back from an invalid address.
    if (!callers.is_after_handler && at.caller) write_frame(line, at.caller - 1, &callers.images);
    write_builds(line, &callers.images);
}

void crash_reports_write_frames(int file, const ucontext_t *context) {
    struct line line = {.file = file};
    write_frames(&line, interrupted_by_signal(context));
}

// Writes the report of a signal. A damaged stack may make it fault again.
static void write_crash(int number, struct interrupted at) {
    struct line line;
    if (!begin(&line, number, gettid(), sender_here)) return;
    write_frames(&line, at);
    close(line.file);
}

void crash_reports_begin(const char *path) {
    size_t length = strlen(path);
    // The path may be too long for a report, which is no reason not to run.
    if (length + 2 * DIGITS >= PATH) return;
    // Unchanged bytes are written again, so that a handler on another thread always finds a whole path.
    memcpy(folder, path, length + 1);
    crash_notes_on_crash(write_crash);
}

void crash_reports_write_hang(long thread, const uintptr_t *addresses, size_t count) {
    struct line line;
    if (!begin(&line, 0, thread, NULL)) return;
    struct images images = {.count = 0};
    for (size_t i = 0; i < count; i++) write_frame(&line, addresses[i] - (i > 0), &images);
    write_builds(&line, &images);
    close(line.file);
}
