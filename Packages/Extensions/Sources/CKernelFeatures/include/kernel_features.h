#ifndef CKERNELFEATURES_H
#define CKERNELFEATURES_H

#include <stdbool.h>

// Returns the version of Landlock that the kernel offers to this process; 0 without Landlock, and -1 if it was disabled at boot.
int kernel_landlock_version(void);
// Returns whether the kernel accepts system call filters.
bool kernel_has_filters(void);

#endif
