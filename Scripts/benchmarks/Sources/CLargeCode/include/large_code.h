#ifndef LARGE_CODE_H
#define LARGE_CODE_H

// Runs one of 4,096 functions.
unsigned large_code(unsigned x);

#endif
