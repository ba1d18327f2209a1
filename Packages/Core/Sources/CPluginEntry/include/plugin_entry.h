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

// Three facts about whoever compiles the *caller*. The bodies are emitted into the library that uses them, so a plugin
// reports the contract and the compiler it was built with, and not those of the Core it happens to meet at run time.
static inline uint32_t plugin_core_abi(void) { return PLUGIN_CORE_ABI; }
static inline const char *_Nonnull plugin_core_version(void) { return PLUGIN_CORE_VERSION; }
static inline const char *_Nonnull plugin_compiler_version(void) { return __VERSION__; }

#endif
