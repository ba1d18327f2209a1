#include "large_code.h"

// A library of about a megabyte with code, data and relocations: 4,096 functions and a table of their names and addresses.
#define ROUND(constant)                \
    x ^= x >> 15;                      \
    x *= constant;                     \
    x += (x << 7) ^ (constant >> 3);

#define PART(n)                                                                                      \
    static unsigned part_##n(unsigned x) {                                                           \
        x ^= 0x##n##u;                                                                               \
        ROUND(0x9e3##n##b1u) ROUND(0x85e##n##6bu) ROUND(0xc2b##n##35u) ROUND(0x27d##n##2fu)          \
        ROUND(0x165##n##97u)                                                    \
        return x;                                                                                    \
    }
#define ROW(n) {"part_" #n, part_##n},

#define ALL_16(of, n) \
    of(n##0) of(n##1) of(n##2) of(n##3) of(n##4) of(n##5) of(n##6) of(n##7) \
    of(n##8) of(n##9) of(n##a) of(n##b) of(n##c) of(n##d) of(n##e) of(n##f)
#define ALL_256(of, n) \
    ALL_16(of, n##0) ALL_16(of, n##1) ALL_16(of, n##2) ALL_16(of, n##3) \
    ALL_16(of, n##4) ALL_16(of, n##5) ALL_16(of, n##6) ALL_16(of, n##7) \
    ALL_16(of, n##8) ALL_16(of, n##9) ALL_16(of, n##a) ALL_16(of, n##b) \
    ALL_16(of, n##c) ALL_16(of, n##d) ALL_16(of, n##e) ALL_16(of, n##f)
#define ALL_4096(of) \
    ALL_256(of, 0) ALL_256(of, 1) ALL_256(of, 2) ALL_256(of, 3) \
    ALL_256(of, 4) ALL_256(of, 5) ALL_256(of, 6) ALL_256(of, 7) \
    ALL_256(of, 8) ALL_256(of, 9) ALL_256(of, a) ALL_256(of, b) \
    ALL_256(of, c) ALL_256(of, d) ALL_256(of, e) ALL_256(of, f)

ALL_4096(PART)

static const struct {
    const char *name;
    unsigned (*run)(unsigned);
} parts[] = {ALL_4096(ROW)};

unsigned large_code(unsigned x) { return parts[x % 4096].run(x) + (unsigned char)parts[x / 4096 % 4096].name[5]; }
