#ifndef PLUGIN_ENTRY_H
#define PLUGIN_ENTRY_H

#include <stdint.h>

// The layout of the only value that a plugin library passes to its host by C rules.
//
// A plugin library exports `const plugin_entry_v3_t *plugin_entry_v3(void)`. The host reads `magic`, then `abi_version`, and nothing else
// unless it knows both. Fields may only be added at the end. A change of meaning requires a new symbol name.

#define PLUGIN_ENTRY_MAGIC 0x41545231u  // "ATR1"

// The version of the Core contract, increased when plugins compiled against the previous contract can no longer be loaded.
#define PLUGIN_CORE_ABI 3u

// Core's release, by Semantic Versioning.
#define PLUGIN_CORE_VERSION "0.3.0"

typedef struct plugin_entry_v3 {
    // PLUGIN_ENTRY_MAGIC. Any other value means that the symbol is not a plugin's entry.
    uint32_t magic;
    // The version of the Core contract that the plugin was compiled against.
    uint32_t abi_version;
    // Version of Core, "major.minor.patch". Static storage.
    const char *_Nonnull core_version;
    // The version text of the compiler that built the plugin. Static storage.
    const char *_Nonnull compiler_version;
    // An object of Core that holds the Swift type of the principal object, or NULL for a library that others link. Never freed.
    const void *_Nullable principal_type;
} plugin_entry_v3_t;

// The same versions as an ELF note in the library's file, so a host can reject the file before any of its code runs.
//
// The header emits the note into every library that uses the functions below, and so into every plugin. Linkers keep notes, and `strip`
// does not remove them. A library built by two compilers contains two notes. Layout as in elf(5), "Notes": owner, type, content.

#define PLUGIN_NOTE_OWNER "Atrium"
#define PLUGIN_NOTE_TYPE 1u

typedef struct plugin_note {
    uint32_t owner_size;
    uint32_t content_size;
    uint32_t type;
    char owner[8];
    // The content starts here. Fields may only be added at the end; strings end with a NUL.
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

// The contract and compiler of the *calling* code. The bodies are emitted into the library that uses them, so a plugin reports the versions
// it was built with and not those of the Core that it is loaded with.
static inline uint32_t plugin_core_abi(void) { return plugin_note.abi_version; }
static inline const char *_Nonnull plugin_core_version(void) { return plugin_note.core_version; }
static inline const char *_Nonnull plugin_compiler_version(void) { return plugin_note.compiler_version; }

#endif
