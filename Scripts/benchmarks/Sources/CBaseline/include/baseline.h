#ifndef BASELINE_H
#define BASELINE_H

// Opens a library as the runtime does and looks one symbol up. Returns NULL when either fails.
void *baseline_load(const char *path, const char *symbol);

// The same, and calls the symbol. Returns what it returns.
const void *baseline_load_and_call(const char *path, const char *symbol);

// The same of a file that is open already, by its descriptor, as the runtime loads what it has checked.
const void *baseline_load_descriptor(const char *path, const char *symbol);

// Opens a folder and shares a lock on it, as the runtime does with what it uses. Returns its descriptor, negative for failure.
int baseline_hold(const char *path);

#endif
