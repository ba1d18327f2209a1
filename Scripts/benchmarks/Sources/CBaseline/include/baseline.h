#ifndef BASELINE_H
#define BASELINE_H

// Opens a library as the runtime does and looks up a symbol. Returns NULL if either fails.
void *baseline_load(const char *path, const char *symbol);

// Opens a library, looks up a symbol and calls it. Returns its result.
const void *baseline_load_and_call(const char *path, const char *symbol);

// Sends a message of `size` bytes to another process over a Unix socket and waits until it comes back, `rounds` times. Returns the seconds
// of each round, or a negative number.
double baseline_exchange(int rounds, int size);

// Starts a program as the leader of a session on a new pseudo terminal. Returns the descriptor of the terminal's other end and sets the number
// of the process, or returns -1 with `errno`.
int baseline_start_on_terminal(const char *path, char *const arguments[], char *const variables[], unsigned short columns, unsigned short rows, int *process);

#endif
