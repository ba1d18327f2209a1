#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#define _XOPEN_SOURCE_EXTENDED 1
#define _GNU_SOURCE 1
#include "curses_screen.h"

#include <curses.h>
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
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

static SCREEN *screen;
static FILE *out, *in;
static int terminal_out, terminal_in;

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

// MARK: Signals

// A signal that ends the program, or a crash of its code, gives the terminal back; the handlers that were there before do the rest.

// The handlers before, for the signals that are taken.
static struct sigaction guard_before[NSIG];
static bool is_guarded[NSIG];

static bool is_among(int number, const int *numbers, size_t count) {
  for (size_t index = 0; index < count; index++) {
    if (numbers[index] == number) return true;
  }
  return false;
}

#define IS_AMONG(number, ...) is_among(number, (const int[]){__VA_ARGS__}, sizeof (const int[]){__VA_ARGS__} / sizeof(int))

#define IS_FAULT(number) IS_AMONG(number, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGSYS)

static void guard_end(int number, siginfo_t *info, void *context) {
  (void)context;
  curses_restore();
  sigaction(number, &guard_before[number], NULL);
  if (!IS_FAULT(number)) {
    raise(number);
    return;
  }
  // Such a fault happens again when the instruction is repeated.
  if (IS_AMONG(number, SIGSEGV, SIGBUS, SIGILL, SIGFPE) && info->si_code > 0) return;
  // Swift's handler sees who has sent the signal, reports it, and returns.
  for (int round = 0; round < 2; round++) {
    syscall(SYS_rt_tgsigqueueinfo, getpid(), syscall(SYS_gettid), number, info);
    signal(number, SIG_DFL);
  }
}

// Takes the signals of a crash, and those that end the program by default, whatever sends them.
//
// The other ones belong to their handlers, such as that of a session.
static void guard_take(void) {
  for (int number = 1; number < NSIG; number++) {
    is_guarded[number] = false;
    if (IS_AMONG(number, SIGKILL, SIGSTOP, SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH)) continue;
    if (sigaction(number, NULL, &guard_before[number]) != 0) continue;
    // A signal that is ignored, as under nohup or in a program started in the background, stays ignored.
    if (guard_before[number].sa_handler == SIG_IGN) continue;
    if (!IS_FAULT(number) && guard_before[number].sa_handler != SIG_DFL) continue;
    struct sigaction action = {.sa_sigaction = guard_end, .sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    is_guarded[number] = sigaction(number, &action, NULL) == 0;
  }
}

static void guard_give_back(void) {
  for (int number = 1; number < NSIG; number++) {
    struct sigaction now;
    if (!is_guarded[number] || sigaction(number, NULL, &now) != 0) continue;
    is_guarded[number] = false;
    // A handler that was installed meanwhile stays, and may pass signals on to this one.
    if (now.sa_sigaction == guard_end) sigaction(number, &guard_before[number], NULL);
  }
}

// MARK: The screen

static void set_modes(void) {
  cbreak();
  noecho();
  nonl();
  keypad(stdscr, true);
  nodelay(stdscr, true);
  mouseinterval(0);
  mousemask(BUTTON1_PRESSED | BUTTON4_PRESSED | BUTTON5_PRESSED, NULL);
}

const char *curses_open(int output, int input) {
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
  guard_take();
  set_escdelay(25);
  screen = newterm(NULL, out, in);
  if (!screen) {
    guard_give_back();
    return "the terminal of the variable TERM is unknown";
  }
  atomic_store(&is_taken, true);
  divert(true);
  set_modes();
  if (start_color() == OK) use_default_colors();
  return NULL;
}

int curses_diverted(void) { return diverted[0]; }

void curses_close(void) {
  if (!screen) return;
  if (atomic_load(&is_taken)) endwin();
  curses_restore();
  guard_give_back();
  delscreen(screen);
  screen = NULL;
  fclose(out);
  fclose(in);
  for (int index = 0; index < 2; index++) close(diverted[index]);
  close(error_stream);
}

void curses_suspend(void) {
  endwin();
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
  wclear(stdscr);
}

void curses_size(int *rows, int *columns) {
  struct winsize size;
  bool is_known = ioctl(terminal_out, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 && size.ws_col > 0;
  *rows = is_known ? size.ws_row : 24;
  *columns = is_known ? size.ws_col : 80;
  if (is_known) resizeterm(*rows, *columns);
}

int curses_colors(void) { return COLORS; }

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
  if (foreground >= COLORS) foreground = foreground < 16 ? foreground % 8 : -1;
  if (background >= COLORS) background = background < 16 ? background % 8 : -1;
  int pair = COLORS > 0 && (foreground >= 0 || background >= 0) ? alloc_pair(foreground, background) : 0;
  cchar_t character;
  // Text that cannot be one cell, such as a combining mark alone, is replaced.
  if (setcchar(&character, cell, styles, (short)(pair < 0 ? 0 : pair), NULL) != OK &&
      setcchar(&character, L"\uFFFD", styles, 0, NULL) != OK) {
    return;
  }
  mvwadd_wch(stdscr, row, column, &character);
}

void curses_erase(void) { wclear(stdscr); }

void curses_update(int cursor_row, int cursor_column) {
  curs_set(cursor_row >= 0);
  if (cursor_row >= 0) wmove(stdscr, cursor_row, cursor_column);
  wrefresh(stdscr);
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
  int result = wget_wch(stdscr, &code);
  if (result == OK) {
    input.kind = curses_character;
    input.code = (uint32_t)code;
  } else if (result == KEY_CODE_YES && code == KEY_MOUSE) {
    MEVENT event;
    if (getmouse(&event) != OK) return input;
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
