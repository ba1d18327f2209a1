#define _GNU_SOURCE
#include "code_owners.h"
#include "system.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

// Returns an entry of a library's dynamic section, or NULL.
static const ElfW(Dyn) *find(const ElfW(Dyn) *entry, ElfW(Sxword) tag) {
    for (; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == tag) return entry;
    return NULL;
}

// Returns the address of a part of a library from its dynamic section, where the loader has turned most offsets into addresses. In the
// kernel's vDSO they are still offsets.
static const void *part(const ElfW(Dyn) *section, ElfW(Addr) base, ElfW(Sxword) tag) {
    const ElfW(Dyn) *entry = find(section, tag);
    if (!entry) return NULL;
    ElfW(Addr) address = entry->d_un.d_ptr;
    return (const void *)(address < base ? address + base : address);
}

const struct link_map *csystem_map(void *library) {
    struct link_map *map;
    return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 ? map : NULL;
}

bool csystem_is_loaded(const char *name) {
    for (const struct link_map *map = _r_debug.r_map; map; map = map->l_next) {
        const char *slash = strrchr(map->l_name, '/');
        const char *strings = part(map->l_ld, map->l_addr, DT_STRTAB);
        const ElfW(Dyn) *own = find(map->l_ld, DT_SONAME);
        if (strcmp(slash ? slash + 1 : map->l_name, name) == 0) return true;
        if (strings && own && strcmp(strings + own->d_un.d_val, name) == 0) return true;
    }
    return false;
}

// Returns the exported function at an address. dladdr(3) would wait for the loader's lock, which a library holds that hangs
// while it is loaded.
static const char *function(const struct link_map *map, uintptr_t address) {
    const ElfW(Sym) *symbols = part(map->l_ld, map->l_addr, DT_SYMTAB);
    const char *names = part(map->l_ld, map->l_addr, DT_STRTAB);
    const uint32_t *hash = part(map->l_ld, map->l_addr, DT_GNU_HASH);
    if (!symbols || !names || !hash) return NULL;
    // The hash table gives the number of symbols: the last chain ends with the last symbol.
    uint32_t bucket_count = hash[0], first = hash[1];
    const uint32_t *buckets = hash + 4 + hash[2] * (sizeof(ElfW(Addr)) / sizeof *hash);
    const uint32_t *chains = buckets + bucket_count;
    uint32_t last = 0;
    for (uint32_t i = 0; i < bucket_count; i++)
        if (buckets[i] > last) last = buckets[i];
    if (last < first) return NULL;
    while ((chains[last - first] & 1) == 0) last++;
    for (uint32_t i = first; i <= last; i++) {
        uintptr_t start = map->l_addr + symbols[i].st_value;
        if ((symbols[i].st_info & 0xf) != STT_FUNC || symbols[i].st_shndx == SHN_UNDEF) continue;
        if (address >= start && address < start + symbols[i].st_size) return names + symbols[i].st_name;
    }
    return NULL;
}

struct csystem_place csystem_place(uintptr_t address) {
    struct csystem_place place = {0};
    const struct link_map *map = code_owners_image(address);
    if (!map) return place;
    // The program itself has an empty name.
    place.file = map->l_name && *map->l_name ? map->l_name : "/proc/self/exe";
    place.offset = address - map->l_addr;
    place.symbol = function(map, address);
    return place;
}
