#ifndef CSYSTEM_CODE_OWNERS_H
#define CSYSTEM_CODE_OWNERS_H

#include <stdbool.h>
#include <stdint.h>

// The bundles whose libraries are in this process, by the name under which the loader has each library.
//
// Entries are never removed, because a library is never closed. All functions but code_owners_add are async-signal-safe.

// Adds a library, before it is opened: its constructors are code of the bundle too. `owner` is the bundle's identity,
// `identifier@version`. False when there is no memory.
bool code_owners_add(const char *_Nonnull image, const char *_Nonnull owner);

// Whose code it is.
struct code_place {
    // The bundle; NULL when it is not a bundle's.
    const char *_Nullable owner;
    // Whether it is the program's own.
    bool is_program;
};

// The owner of the code at an address.
struct code_place code_owners_at(uintptr_t address);

// The nearest caller on this thread that is either a bundle's code or the program's own; system libraries are skipped.
struct code_place code_owners_calling(void);

// The only bundle that has code in the process; NULL when there are several, or none.
const char *_Nullable code_owners_only(void);

// Whether any bundle has code in the process.
bool code_owners_any(void);

// Calls `body` with the address of each caller on this thread, innermost first, until it returns false.
void code_owners_each_caller(bool (*_Nonnull body)(uintptr_t address, void *_Nullable context), void *_Nullable context);

#endif
