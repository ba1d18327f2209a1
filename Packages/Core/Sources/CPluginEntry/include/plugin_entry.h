#ifndef PLUGIN_ENTRY_H
#define PLUGIN_ENTRY_H

#include <stdint.h>

// The layout of the one value that crosses from a plugin library to its host by C rules.
//
// A plugin library exports `const plugin_entry_v1_t *plugin_entry_v1(void)`. The host reads `magic`, then
// `abi_version`, and touches nothing else unless both are what it knows. Fields are only ever added at the end, and
// only together with a new symbol name when their meaning changes.

#define PLUGIN_ENTRY_MAGIC 0x41545231u  // "ATR1"

// The version of the Core contract. It goes up when a plugin compiled against the old contract can no longer be loaded.
#define PLUGIN_CORE_ABI 1u

// Core's release, by Semantic Versioning.
#define PLUGIN_CORE_VERSION "1.0.0"

typedef struct plugin_entry_v1 {
    // PLUGIN_ENTRY_MAGIC; anything else means that the symbol belongs to somebody else.
    uint32_t magic;
    // The version of the Core contract that the plugin was compiled against.
    uint32_t abi_version;
    // Version of Core, "major.minor.patch". Static storage.
    const char *_Nonnull core_version;
    // What compiled the plugin: the compiler's own version text. Static storage.
    const char *_Nonnull compiler_version;
    // Passed back to `make_principal`; owned by the plugin, never freed.
    void *_Nonnull context;
    // Main thread only. Returns a new principal object, retained once; the caller releases it. Never NULL.
    void *_Nonnull (*_Nonnull make_principal)(void *_Nonnull context);
} plugin_entry_v1_t;

// The same facts as an ELF note in the library's file, so that a host can refuse it before any of its code runs. The header
// emits it into whatever uses the functions below, and so into every plugin; linkers leave notes in the file, stripped or
// not. A library that two compilers have made holds two of them. Layout as in elf(5), "Notes": owner, type, content.

#define PLUGIN_NOTE_OWNER "Atrium"
#define PLUGIN_NOTE_TYPE 1u

typedef struct plugin_note {
    uint32_t owner_size;
    uint32_t content_size;
    uint32_t type;
    char owner[8];
    // From here on it is the content. Fields are only ever added at the end; texts end with a NUL.
    uint32_t abi_version;
    char core_version[20];
    char compiler_version[(sizeof(__VERSION__) + 3) / 4 * 4];
} plugin_note_t;

#ifdef __ELF__
#if defined(__has_attribute) && __has_attribute(retain)
#define PLUGIN_NOTE_PLACE __attribute__((used, retain, section(".note.atrium"), aligned(4)))
#else
#define PLUGIN_NOTE_PLACE __attribute__((used, section(".note.atrium"), aligned(4)))
#endif
#else
#define PLUGIN_NOTE_PLACE
#endif

static const plugin_note_t plugin_note PLUGIN_NOTE_PLACE = {
    .owner_size = sizeof(PLUGIN_NOTE_OWNER),
    .content_size = sizeof(plugin_note_t) - 20,
    .type = PLUGIN_NOTE_TYPE,
    .owner = PLUGIN_NOTE_OWNER,
    .abi_version = PLUGIN_CORE_ABI,
    .core_version = PLUGIN_CORE_VERSION,
    .compiler_version = __VERSION__,
};

// Three facts about whoever compiles the *caller*. The bodies are emitted into the library that uses them, so a plugin
// reports the contract and the compiler it was built with, and not those of the Core it happens to meet at run time.
static inline uint32_t plugin_core_abi(void) { return plugin_note.abi_version; }
static inline const char *_Nonnull plugin_core_version(void) { return plugin_note.core_version; }
static inline const char *_Nonnull plugin_compiler_version(void) { return plugin_note.compiler_version; }

#endif
