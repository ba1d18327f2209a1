#ifndef PLUGIN_ENTRY_H
#define PLUGIN_ENTRY_H

#include <stdint.h>

// The version of the contract. It is increased when plugins built with the version before cannot be loaded any longer.
#define CONTRACT_ABI 1u

// The only value that a plugin passes to its host by the rules of C. Fields are added at the end only.
typedef struct plugin_entry {
    // The CONTRACT_ABI that the plugin was built with. The host reads nothing else before it knows this one.
    uint32_t abi;
    // An address in the copy of the contract that the plugin uses.
    const void *_Nullable contract;
    // An object of the contract with the type of the plugin. Never freed.
    const void *_Nonnull type;
} plugin_entry_t;

// Compiled into the library that calls it, so a plugin tells the version that it was built with, and not that of its host.
static inline uint32_t contract_abi(void) { return CONTRACT_ABI; }

#endif
