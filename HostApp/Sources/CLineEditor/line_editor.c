#define _GNU_SOURCE
#include "line_editor.h"
#include "../CCurses/terminal_guard.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <histedit.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

// The functions of libedit that are used, found when the first editor is created; their types are those of its header.
#define FUNCTIONS(each) \
    each(el_init_fd) each(el_end) each(el_set) each(el_get) each(el_gets) each(el_line) each(el_wline) each(el_insertstr) \
    each(el_deletestr) each(el_cursor) each(el_resize) each(el_source) each(history_init) each(history_end) each(history)

static struct {
#define FIELD(name) __typeof__(name) *name;
    FUNCTIONS(FIELD)
} edit;

enum { history_size = 1000, end_of_input = 4, ended = -1, interrupted = -2 };

struct line_editor {
    EditLine *edit;
    History *history;
    FILE *output;
    int in, out;
    // The ends of a pipe that wakes the thread that reads.
    int wake[2];
    // The number of bytes that were typed before libedit has taken over the terminal.
    int typed_ahead;
    locale_t locale;
    struct line_caller caller;
};

static bool open_library(void) {
    static bool is_open;
    if (is_open) return true;
    void *library = dlopen("libedit.so.2", RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) return false;
    bool found = true;
#define FIND(name) found &= (edit.name = dlsym(library, #name)) != NULL;
    FUNCTIONS(FIND)
    is_open = found;
    return is_open;
}

static struct line_editor *editor_of(EditLine *line) {
    void *editor = NULL;
    edit.el_get(line, EL_CLIENTDATA, &editor);
    return editor;
}

static char prompt[] = "> ";

static char *prompt_of(EditLine *line) {
    (void)line;
    return prompt;
}

void line_editor_wake(struct line_editor *editor) {
    char byte = 0;
    ssize_t count = write(editor->wake[1], &byte, 1);
    (void)count;
}

// The mode of the terminal for lines, which a signal that ends the program restores.
static struct termios line_mode;
static int terminal;
static volatile sig_atomic_t is_taken;

static void restore_mode(void) { tcsetattr(terminal, TCSANOW, &line_mode); }

void line_editor_restore(void) {
    if (is_taken) restore_mode();
}

// Writes lines. In the mode of the terminal while a line is read, a line feed does not return to the first column everywhere.
static void write_lines(struct line_editor *editor, const char *text) {
    for (; *text != 0; text++) {
        if (*text == '\n') fputc('\r', editor->output);
        fputc(*text, editor->output);
    }
    fflush(editor->output);
}

// Removes the prompt and the line from the terminal, which may take several rows.
static void erase_line(struct line_editor *editor) {
    const LineInfoW *line = edit.el_wline(editor->edit);
    struct winsize size = {0};
    int columns = ioctl(editor->out, TIOCGWINSZ, &size) == 0 ? size.ws_col : 80, width = (int)strlen(prompt);
    for (const wchar_t *text = line->buffer; text < line->cursor; text++) width += wcwidth(*text) > 0 ? wcwidth(*text) : 0;
    int rows = columns > 0 ? width / columns : 0;
    if (rows > 0) fprintf(editor->output, "\r\033[%dA\033[J", rows);
    else fputs("\r\033[J", editor->output);
}

// Does what other threads have asked for. Returns true if the line is to be abandoned.
static bool attend(struct line_editor *editor) {
    char bytes[64];
    while (read(editor->wake[0], bytes, sizeof bytes) == (ssize_t)sizeof bytes) {}
    struct line_request request = editor->caller.attend(editor->caller.context, false);
    if (request.is_continued) {
        // The shell that has continued the program has set the terminal for lines.
        edit.el_set(editor->edit, EL_PREP_TERM, 0);
        edit.el_set(editor->edit, EL_PREP_TERM, 1);
        edit.el_set(editor->edit, EL_REFRESH);
    }
    if (request.is_resized || request.text != NULL) {
        erase_line(editor);
        if (request.is_resized) edit.el_resize(editor->edit);
        if (request.text != NULL) write_lines(editor, request.text);
        edit.el_set(editor->edit, EL_REFRESH);
        free(request.text);
    }
    return request.is_interrupted;
}

static int next_byte(struct line_editor *editor) {
    for (;;) {
        struct pollfd descriptors[2] = {{.fd = editor->in, .events = POLLIN}, {.fd = editor->wake[0], .events = POLLIN}};
        if (poll(descriptors, 2, -1) < 0) {
            if (errno == EINTR) continue;
            return ended;
        }
        if (descriptors[1].revents != 0 && attend(editor)) return interrupted;
        if (descriptors[0].revents == 0) continue;
        unsigned char byte;
        ssize_t count = read(editor->in, &byte, 1);
        if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (count != 1) return ended;
        // In a mode for lines, the terminal has replaced Ctrl-D by a zero (n_tty.c of Linux).
        bool is_early = editor->typed_ahead > 0 && editor->typed_ahead-- > 0;
        return is_early && byte == 0 ? end_of_input : byte;
    }
}

static int next_character(EditLine *line, wchar_t *character) {
    mbstate_t state = {0};
    size_t size;
    do {
        int next = next_byte(editor_of(line));
        char byte = (char)next;
        // Ends the line, which is then ignored.
        *character = L'\n';
        if (next < 0) return next == interrupted;
        size = mbrtowc(character, &byte, 1, &state);
    } while (size == (size_t)-2);
    // A byte that is not part of a character is replaced.
    if (size == (size_t)-1) *character = 0xFFFD;
    return 1;
}

static unsigned char complete(EditLine *line, int key) {
    (void)key;
    struct line_editor *editor = editor_of(line);
    const LineInfo *info = edit.el_line(line);
    char *before = strndup(info->buffer, (size_t)(info->cursor - info->buffer));
    if (before == NULL) return CC_ERROR;
    struct line_change change = editor->caller.complete(editor->caller.context, before);
    free(before);
    unsigned char result = CC_ERROR;
    if (change.inserted != NULL) {
        if (change.removed > 0) edit.el_deletestr(line, (int)change.removed);
        edit.el_insertstr(line, change.inserted);
        result = CC_REFRESH;
    }
    if (change.shown != NULL) {
        fputs("\r\n", editor->output);
        write_lines(editor, change.shown);
        result = CC_REDISPLAY;
    }
    free(change.inserted);
    free(change.shown);
    return result;
}

// Ends the input on an empty line, and removes the character at the cursor elsewhere. The function of libedit writes "^D" at the end.
static unsigned char end_or_delete(EditLine *line, int key) {
    (void)key;
    const LineInfo *info = edit.el_line(line);
    if (info->buffer == info->lastchar) return CC_EOF;
    if (info->cursor == info->lastchar) return CC_ERROR;
    edit.el_cursor(line, 1);
    edit.el_deletestr(line, 1);
    return CC_REFRESH;
}

static void prepare(struct line_editor *editor) {
    EditLine *line = editor->edit;
    edit.el_set(line, EL_CLIENTDATA, editor);
    edit.el_set(line, EL_PROMPT, prompt_of);
    edit.el_set(line, EL_EDITOR, "emacs");
    edit.el_set(line, EL_HIST, edit.history, editor->history);
    edit.el_set(line, EL_GETCFN, next_character);
    edit.el_set(line, EL_ADDFN, "atrium-complete", "Complete the word", complete);
    edit.el_set(line, EL_ADDFN, "atrium-end-or-delete", "End the input or delete", end_or_delete);
    static const char *const keys[][2] = {
        {"^I", "atrium-complete"}, {"^D", "atrium-end-or-delete"}, {"^R", "em-inc-search-prev"}, {"^W", "ed-delete-prev-word"},
        {"\\e[3~", "ed-delete-next-char"}, {"\\e[H", "ed-move-to-beg"}, {"\\e[F", "ed-move-to-end"},
        {"\\e[1~", "ed-move-to-beg"}, {"\\e[4~", "ed-move-to-end"}, {"\\e[1;5C", "em-next-word"},
        {"\\e[1;5D", "ed-prev-word"},
    };
    for (size_t index = 0; index < sizeof keys / sizeof *keys; index++) {
        edit.el_set(line, EL_BIND, keys[index][0], keys[index][1], NULL);
    }
    // The user's own keys. The file of the working folder belongs to somebody else, perhaps.
    const char *home = getenv("HOME");
    char path[4096];
    if (home != NULL && snprintf(path, sizeof path, "%s/.editrc", home) < (int)sizeof path) edit.el_source(line, path);
}

struct line_editor *line_editor_create(const char *program, int input, int output) {
    if (!open_library()) return NULL;
    struct line_editor *editor = calloc(1, sizeof *editor);
    if (editor == NULL) return NULL;
    editor->in = input;
    editor->out = output;
    editor->wake[0] = editor->wake[1] = -1;
    // The program's texts are UTF-8 everywhere, and libedit asks the locale which characters are wide.
    editor->locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    int own_output = fcntl(output, F_DUPFD_CLOEXEC, 3);
    editor->output = own_output < 0 ? NULL : fdopen(own_output, "w");
    editor->history = edit.history_init();
    locale_t before = uselocale(editor->locale);
    if (editor->output != NULL && editor->history != NULL && pipe2(editor->wake, O_CLOEXEC | O_NONBLOCK) == 0) {
        HistEvent event;
        edit.history(editor->history, &event, H_SETSIZE, (int)history_size);
        edit.history(editor->history, &event, H_SETUNIQUE, 1);
        editor->edit = edit.el_init_fd(program, stdin, editor->output, editor->output, input, output, output);
        if (editor->edit != NULL) prepare(editor);
    }
    uselocale(before);
    if (editor->edit == NULL) {
        line_editor_destroy(editor);
        return NULL;
    }
    return editor;
}

void line_editor_destroy(struct line_editor *editor) {
    if (editor->edit != NULL) edit.el_end(editor->edit);
    if (editor->history != NULL) edit.history_end(editor->history);
    if (editor->output != NULL) fclose(editor->output);
    for (int index = 0; index < 2; index++) {
        if (editor->wake[index] >= 0) close(editor->wake[index]);
    }
    if (editor->locale != (locale_t)0) freelocale(editor->locale);
    free(editor);
}

void line_editor_remember(struct line_editor *editor, const char *line) {
    HistEvent event;
    edit.history(editor->history, &event, H_ENTER, line);
}

enum line_result line_editor_read(struct line_editor *editor, struct line_caller caller, char **line) {
    *line = NULL;
    editor->caller = caller;
    terminal = editor->in;
    bool has_mode = tcgetattr(terminal, &line_mode) == 0;
    if (has_mode) guard_take(restore_mode, true);
    is_taken = has_mode;
    locale_t before = uselocale(editor->locale);

    edit.el_set(editor->edit, EL_PREP_TERM, 1);
    if (ioctl(editor->in, FIONREAD, &editor->typed_ahead) != 0) editor->typed_ahead = 0;
    int count = 0;
    const char *read = edit.el_gets(editor->edit, &count);

    uselocale(before);
    if (has_mode) guard_give_back();
    is_taken = false;
    struct line_request rest = caller.attend(caller.context, true);
    if (rest.text != NULL) {
        fputs(rest.text, editor->output);
        fflush(editor->output);
        free(rest.text);
    }
    if (rest.is_interrupted) return LINE_INTERRUPTED;
    if (read == NULL || count <= 0) return LINE_ENDED;
    *line = strndup(read, strcspn(read, "\r\n"));
    return *line == NULL ? LINE_ENDED : LINE_READ;
}
