#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#define _XOPEN_SOURCE_EXTENDED 1
#define _GNU_SOURCE 1
#include "curses_screen.h"
#include "terminal_guard.h"

#include <curses.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

// The functions of ncurses that are used; their types are those of its header.
#define FUNCTIONS(each) \
  each(newterm) each(endwin) each(delscreen) each(cbreak) each(noecho) each(nonl) each(keypad) each(nodelay) each(set_escdelay) \
  each(start_color) each(use_default_colors) each(alloc_pair) each(mousemask) each(mouseinterval) each(getmouse) each(wget_wch) \
  each(setcchar) each(mvwadd_wch) each(wmove) each(wrefresh) each(wclear) each(resizeterm) each(curs_set)

static struct {
#define FIELD(name) __typeof__(name) *name;
  FUNCTIONS(FIELD)
  WINDOW **stdscr;
  int *colors;
} curses;

static const char *problem;
static SCREEN *screen;
static FILE *out, *in;
static int terminal_out, terminal_in;

static void *find(void *library, const char *name) {
  void *found = dlsym(library, name);
  if (!found && !problem) problem = "the library libncursesw.so.6 is too old";
  return found;
}

// The library stays open until the process ends.
static void load(void) {
  void *library = dlopen("libncursesw.so.6", RTLD_LAZY | RTLD_LOCAL);
  if (!library) {
    problem = "the library libncursesw.so.6 cannot be opened; install libncursesw6";
    return;
  }
  problem = NULL;
#define FIND(name) curses.name = find(library, #name);
  FUNCTIONS(FIND)
  curses.stdscr = find(library, "stdscr");
  curses.colors = find(library, "COLORS");
}

// MARK: Giving the terminal back

// What a signal handler needs; it is complete before is_taken is set.
static atomic_bool is_taken;
static struct termios mode;
// No mouse, attributes or colors, a visible cursor, the keys as they were, and the other screen: what xterm and all terminals like it know.
static const char farewell[] =
  "\033[?1006l\033[?1002l\033[?1000l\033(B\033[m\033[39;49m\033[?12l\033[?25h\033[?1l\033>\033[?1049l";
static int error_stream = -1;
static int diverted[2] = {-1, -1};

static void divert(bool is_diverted) {
  int target = is_diverted ? diverted[1] : error_stream;
  if (target < 0) return;
  dup2(target, STDERR_FILENO);
  dup2(target, STDOUT_FILENO);
}

void curses_restore(void) {
  if (!atomic_exchange(&is_taken, false)) return;
  int error = errno;
  const char *rest = farewell;
  for (size_t left = sizeof farewell - 1; left > 0;) {
    ssize_t count = write(terminal_out, rest, left);
    if (count < 0 && errno != EINTR) break;
    if (count > 0) rest += count, left -= (size_t)count;
  }
  tcsetattr(terminal_in, TCSANOW, &mode);
  divert(false);
  errno = error;
}

// MARK: The screen

static void set_modes(void) {
  curses.cbreak();
  curses.noecho();
  curses.nonl();
  curses.keypad(*curses.stdscr, true);
  curses.nodelay(*curses.stdscr, true);
  curses.mouseinterval(0);
  curses.mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
}

const char *curses_open(int output, int input) {
  if (!curses.newterm) load();
  if (problem) return problem;
  setlocale(LC_CTYPE, "");
  // Without a locale for UTF-8, each character would be drawn as several.
  if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0) setlocale(LC_CTYPE, "C.UTF-8");
  terminal_out = output;
  terminal_in = input;
  if (tcgetattr(input, &mode) != 0) return "standard input is no terminal";
  int copies[2] = {dup(output), dup(input)};
  out = copies[0] < 0 ? NULL : fdopen(copies[0], "w");
  in = copies[1] < 0 ? NULL : fdopen(copies[1], "r");
  if (!out || !in || pipe2(diverted, O_CLOEXEC) != 0) return "no more descriptors are available";
  error_stream = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
  guard_take(curses_restore, false);
  curses.set_escdelay(25);
  screen = curses.newterm(NULL, out, in);
  if (!screen) {
    guard_give_back();
    return "the terminal of the variable TERM is unknown";
  }
  atomic_store(&is_taken, true);
  divert(true);
  set_modes();
  if (curses.start_color() == OK) curses.use_default_colors();
  return NULL;
}

int curses_diverted(void) { return diverted[0]; }

void curses_close(void) {
  if (!screen) return;
  if (atomic_load(&is_taken)) curses.endwin();
  curses_restore();
  guard_give_back();
  curses.delscreen(screen);
  screen = NULL;
  fclose(out);
  fclose(in);
  for (int index = 0; index < 2; index++) close(diverted[index]);
  close(error_stream);
}

void curses_suspend(void) {
  curses.endwin();
  divert(false);
  void (*own)(int) = signal(SIGTSTP, SIG_DFL);
  // Threads of libdispatch block the signal.
  sigset_t stop, blocked;
  sigemptyset(&stop);
  sigaddset(&stop, SIGTSTP);
  pthread_sigmask(SIG_UNBLOCK, &stop, &blocked);
  raise(SIGTSTP);
  pthread_sigmask(SIG_SETMASK, &blocked, NULL);
  signal(SIGTSTP, own);
  divert(true);
  curses.wclear(*curses.stdscr);
}

void curses_size(int *rows, int *columns) {
  struct winsize size;
  bool is_known = ioctl(terminal_out, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0;
  *rows = is_known ? size.ws_row : 24;
  *columns = is_known ? size.ws_col : 80;
  if (is_known) curses.resizeterm(*rows, *columns);
}

int curses_colors(void) { return *curses.colors; }

void curses_put(int row, int column, const uint32_t *text, int count, int attributes, int foreground, int background) {
  wchar_t cell[CCHARW_MAX + 1];
  int length = 0;
  for (int index = 0; index < count && length < CCHARW_MAX; index++) cell[length++] = (wchar_t)text[index];
  cell[length] = 0;
  attr_t styles = A_NORMAL;
  if (attributes & curses_bold) styles |= A_BOLD;
  if (attributes & curses_dim) styles |= A_DIM;
  if (attributes & curses_underline) styles |= A_UNDERLINE;
  if (attributes & curses_reverse) styles |= A_REVERSE;
  if (foreground >= *curses.colors) foreground = foreground < 16 ? foreground % 8 : -1;
  if (background >= *curses.colors) background = background < 16 ? background % 8 : -1;
  int pair = *curses.colors > 0 && (foreground >= 0 || background >= 0) ? curses.alloc_pair(foreground, background) : 0;
  cchar_t character;
  // Text that cannot be one cell, such as a combining mark alone, is replaced.
  if (curses.setcchar(&character, cell, styles, (short)(pair < 0 ? 0 : pair), NULL) != OK &&
      curses.setcchar(&character, L"\uFFFD", styles, 0, NULL) != OK) {
    return;
  }
  curses.mvwadd_wch(*curses.stdscr, row, column, &character);
}

void curses_erase(void) { curses.wclear(*curses.stdscr); }

void curses_update(int cursor_row, int cursor_column) {
  curses.curs_set(cursor_row >= 0);
  if (cursor_row >= 0) curses.wmove(*curses.stdscr, cursor_row, cursor_column);
  curses.wrefresh(*curses.stdscr);
}

// The keys that are no characters, in the order of the caller's list.
static const wint_t keys[] = {
  KEY_UP, KEY_DOWN, KEY_LEFT, KEY_RIGHT, KEY_HOME, KEY_END, KEY_PPAGE, KEY_NPAGE, KEY_ENTER, KEY_DC, KEY_BACKSPACE, KEY_BTAB, KEY_F(1),
};

static uint32_t key(wint_t code) {
  uint32_t index = 0;
  while (index < sizeof keys / sizeof *keys && keys[index] != code) index++;
  return index;
}

struct curses_input curses_read(void) {
  struct curses_input input = {.kind = curses_nothing};
  wint_t code = 0;
  int result = curses.wget_wch(*curses.stdscr, &code);
  if (result == OK) {
    input.kind = curses_character;
    input.code = (uint32_t)code;
  } else if (result == KEY_CODE_YES && code == KEY_MOUSE) {
    MEVENT event;
    if (curses.getmouse(&event) != OK) return input;
    input.row = event.y;
    input.column = event.x;
    if (event.bstate & BUTTON1_PRESSED) input.kind = curses_press;
    if (event.bstate & BUTTON4_PRESSED) input.kind = curses_scroll_up;
    if (event.bstate & BUTTON5_PRESSED) input.kind = curses_scroll_down;
    if (input.kind == curses_nothing) input = (struct curses_input){.kind = curses_key, .code = UINT32_MAX};
  } else if (result == KEY_CODE_YES && code != KEY_RESIZE) {
    input.kind = curses_key;
    input.code = key(code);
  }
  return input;
}
