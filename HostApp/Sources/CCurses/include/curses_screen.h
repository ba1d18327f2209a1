// A full screen of a terminal on ncursesw.
//
// All functions but curses_restore are called on one thread.
#ifndef CURSES_SCREEN_H
#define CURSES_SCREEN_H

#include <stdbool.h>
#include <stdint.h>

// The kinds of input.
enum curses_kind {
  curses_nothing, curses_character, curses_key, curses_press, curses_scroll_up, curses_scroll_down
};

// One input: the character, the number of the key in the list below, or the place of the mouse.
//
// The keys are up, down, left, right, home, end, page up, page down, enter, delete, backspace, back tab, and help; others have larger numbers.
struct curses_input {
  enum curses_kind kind;
  uint32_t code;
  int row, column;
};

// The attributes of a cell.
enum { curses_bold = 1, curses_dim = 2, curses_underline = 4, curses_reverse = 8 };

// Takes the terminal of two descriptors, which stay the caller's, and diverts standard error to a pipe.
//
// The caller handles SIGWINCH and SIGTSTP; otherwise ncurses would.
//
// Returns NULL, or the reason why there is no screen, which stays valid.
const char *curses_open(int output, int input);

// The end of the pipe that receives standard error.
int curses_diverted(void);

// Gives the terminal back, and standard error.
void curses_close(void);

// Gives the terminal back from any thread or signal handler; nothing is drawn afterwards.
void curses_restore(void);

// Stops the process as Ctrl-Z does by default, and takes the terminal again when it continues.
void curses_suspend(void);

// The size of the terminal, after it was resized if necessary.
void curses_size(int *rows, int *columns);

// The number of colors.
int curses_colors(void);

// Draws one cell; a wide character also covers the next one. A color of -1 is the terminal's own.
void curses_put(int row, int column, const uint32_t *text, int count, int attributes, int foreground, int background);

// Erases everything, also what other programs have drawn.
void curses_erase(void);

// Draws what has changed. The cursor is hidden if the row is negative.
void curses_update(int cursor_row, int cursor_column);

// Reads one input without waiting.
struct curses_input curses_read(void);

#endif
