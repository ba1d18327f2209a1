#ifndef BASELINE_H
#define BASELINE_H

// Opens a library as the runtime does and looks one symbol up. Returns NULL when either fails.
void *baseline_load(const char *path, const char *symbol);

#endif
