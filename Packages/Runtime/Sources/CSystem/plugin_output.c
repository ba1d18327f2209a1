#define _GNU_SOURCE
#include "plugin_output.h"
#include "code_owners.h"

#include <errno.h>
#include <stdio.h>
#include <sys/types.h>

static void (*taker)(const char *bytes, size_t count, const char *owner);
static FILE *_Atomic stream;
// True while this thread flushes text that another thread has written.
static _Thread_local bool is_flushing;

static ssize_t take(void *cookie, const char *bytes, size_t count) {
    (void)cookie;
    if (count == 0) return 0;
    int error = errno;
    struct code_place place = code_owners_calling();
    bool is_known = place.owner || (place.is_program && !is_flushing);
    taker(bytes, count, is_known ? place.owner : code_owners_only());
    errno = error;
    return (ssize_t)count;
}

// A bundle may close its standard output, as any program may.
static int forget(void *cookie) {
    (void)cookie;
    stream = NULL;
    return 0;
}

bool plugin_output_take(void (*new_taker)(const char *bytes, size_t count, const char *owner)) {
    taker = new_taker;
    if (stream) return true;
    cookie_io_functions_t functions = {.write = take, .close = forget};
    FILE *new = fopencookie(NULL, "w", functions);
    if (!new || setvbuf(new, NULL, _IOLBF, BUFSIZ) != 0) return false;
    fflush(stdout);
    stream = new;
    stdout = new;
    return true;
}

void plugin_output_flush(void) {
    FILE *own = stream;
    if (!own || ftrylockfile(own) != 0) return;
    is_flushing = true;
    fflush(own);
    is_flushing = false;
    funlockfile(own);
}

void plugin_output_unbuffer(void) { setvbuf(stdout, NULL, _IONBF, 0); }
