#ifndef PLUGIN_ENTRY_H
#define PLUGIN_ENTRY_H

#include <stdint.h>

// The version of the contract. Whoever changes the contract increases it if plugins that were built before cannot be loaded any longer.
#define CONTRACT_ABI 1u

// The only value that a plugin passes to its host by the rules of C. Fields are added at the end only.
typedef struct plugin_entry {
    // The CONTRACT_ABI that the plugin was built with. The host reads nothing else before it knows this one.
    uint32_t abi;
    // The compiler that built the plugin. Swift's ABI is not stable on Linux, so code of another one is not run.
    const char *_Nonnull compiler;
    // An address in the copy of the contract that the plugin uses.
    const void *_Nullable contract;
    // An object of the contract with the type of the plugin. Never freed.
    const void *_Nonnull type;
} plugin_entry_t;

// These are compiled into the library that calls them, so a plugin tells what it was built with, and not what its host was.
static inline uint32_t contract_abi(void) { return CONTRACT_ABI; }
static inline const char *_Nonnull contract_compiler(void) { return __VERSION__; }

#endif
