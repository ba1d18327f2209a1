#include "plugin_entry.h"

// Hosts on every 64-bit platform read the struct by these offsets. Changing them requires a new entry symbol.
#if UINTPTR_MAX == UINT64_MAX
#include <stddef.h>
_Static_assert(offsetof(plugin_entry_v3_t, core_version) == 8, "core_version moved");
_Static_assert(offsetof(plugin_entry_v3_t, principal_type) == 24, "principal_type moved");
_Static_assert(sizeof(plugin_entry_v3_t) == 32, "plugin_entry_v3_t changed its size");
_Static_assert(offsetof(plugin_note_t, abi_version) == 20, "the note's content moved");
_Static_assert(offsetof(plugin_note_t, core_version) == 24, "core_version moved in the note");
_Static_assert(offsetof(plugin_note_t, compiler_version) == 44, "compiler_version moved in the note");
#endif
