#include <stdio.h>

#include "CPNG.h"

// Debian's libpng16.a expects the variable stderr in the same library, where a shared library cannot have it. The linker's option
// --wrap=stderr gives it this one instead.
extern FILE *__real_stderr;
__attribute__((visibility("hidden"))) FILE *__wrap_stderr;

__attribute__((constructor)) static void set_stderr(void) { __wrap_stderr = __real_stderr; }
