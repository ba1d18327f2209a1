#ifndef CPROCESSES_CODE_OWNERS_H
#define CPROCESSES_CODE_OWNERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The bundles that own the loaded libraries, by the loader's name of each library.
//
// Entries are never removed, because a library is never closed. All functions except code_owners_add are async-signal-safe.

// Adds a library, before it is opened because its constructors are code of the bundle too. `owner` is the bundle's identity,
// `identifier@version`. Returns false when memory is exhausted.
bool code_owners_add(const char *_Nonnull image, const char *_Nonnull owner);

// The owner of some code.
struct code_place {
    // The bundle that the code belongs to, or NULL.
    const char *_Nullable owner;
    // True if the code belongs to the program itself or to the library of HostSystem.
    bool is_program;
};

// Returns the owner of the code at an address.
struct code_place code_owners_at(uintptr_t address);

// Returns the owner of the nearest caller on this thread that belongs to a bundle or to the program; system libraries are skipped.
struct code_place code_owners_calling(void);

// Returns the only bundle with code in the process, or NULL when there are several or none.
const char *_Nullable code_owners_only(void);

// Returns whether any bundle has code in the process.
bool code_owners_any(void);

struct code_name {
    // The loader's name of the library, or NULL when no loaded object contains the address.
    const char *_Nullable file;
    // The offset from the start of the library.
    unsigned long offset;
    // The exported symbol at the address, or NULL.
    const char *_Nullable symbol;
};
// Returns the library, offset and symbol of a code address, without waiting for a lock.
struct code_name code_name_at(uintptr_t address);

// Part of the Swift runtime library; no header of the toolchain declares it. The caller frees the result, which is NULL for a symbol that isn't
// a Swift symbol.
char *_Nullable swift_demangle(
    const char *_Nonnull name, size_t length, char *_Nullable buffer, size_t *_Nullable size, unsigned flags);

#endif
