#ifndef CSYSTEM_CODE_OWNERS_H
#define CSYSTEM_CODE_OWNERS_H

#include <stdbool.h>
#include <stdint.h>

// Marks the functions that Packages/Processes calls. Plugins must not find the others.
#define CSYSTEM_SHARED __attribute__((visibility("default")))

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
    // True if the code belongs to the program itself or to the library that contains this module.
    bool is_program;
};

// Returns the loader's entry for the program or library that contains an address, or NULL.
struct link_map;
const struct link_map *_Nullable code_owners_image(uintptr_t address);

// Returns the owner of the code at an address.
CSYSTEM_SHARED struct code_place code_owners_at(uintptr_t address);

// Returns the owner of the nearest caller on this thread that belongs to a bundle or to the program; system libraries are skipped.
CSYSTEM_SHARED struct code_place code_owners_calling(void);

// Returns the only bundle with code in the process, or NULL when there are several or none.
CSYSTEM_SHARED const char *_Nullable code_owners_only(void);

// Returns whether any bundle has code in the process.
CSYSTEM_SHARED bool code_owners_any(void);

// Calls `body` with the address of each caller on this thread, innermost first, until it returns false.
void code_owners_each_caller(bool (*_Nonnull body)(uintptr_t address, void *_Nullable context), void *_Nullable context);

#endif
