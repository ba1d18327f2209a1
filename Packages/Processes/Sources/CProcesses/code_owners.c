#include "code_owners.h"
#include "system.h"

#include <link.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    const char *image;
    const char *owner;
    struct entry *next;
};

static struct entry *_Atomic entries;

// Finds the newest entry for a name: an older one cannot have been loaded, or its name would be taken.
static const struct entry *entry_of(const char *image) {
    for (const struct entry *entry = entries; entry; entry = entry->next)
        if (strcmp(entry->image, image) == 0) return entry;
    return NULL;
}

bool code_owners_add(const char *image, const char *owner) {
    const struct entry *known = entry_of(image);
    if (known && strcmp(known->owner, owner) == 0) return true;
    struct entry *new = malloc(sizeof *new);
    char *image_copy = strdup(image), *owner_copy = strdup(owner);
    if (!new || !image_copy || !owner_copy) {
        free(new);
        free(image_copy);
        free(owner_copy);
        return false;
    }
    *new = (struct entry){image_copy, owner_copy, entries};
    while (!atomic_compare_exchange_weak(&entries, &new->next, new)) continue;
    return true;
}

struct code_place code_owners_at(uintptr_t address) {
    struct code_place place = {NULL, false};
    const struct link_map *image = csystem_image(address);
    const char *name = image ? image->l_name : NULL;
    if (!name) return place;
    // The program comes first in the loader's list and has an empty name. The library of HostSystem, in which each thread
    // begins, is the host's, too.
    place.is_program = !*name || image == csystem_image((uintptr_t)&csystem_image);
    const struct entry *entry = place.is_program ? NULL : entry_of(name);
    if (entry) place.owner = entry->owner;
    return place;
}

// A search for the calling code. The innermost frame is in the library of HostSystem, which is code of the program too, and is skipped.
struct search {
    struct code_place place;
    bool is_outside;
};

static bool search(uintptr_t address, void *context) {
    struct search *search = context;
    struct code_place place = code_owners_at(address);
    if (place.is_program && !search->is_outside) return true;
    search->is_outside = true;
    search->place = place;
    return !place.owner && !place.is_program;
}

struct code_place code_owners_calling(void) {
    struct search state = {{NULL, false}, false};
    csystem_each_caller(search, &state);
    return state.place;
}

const char *code_owners_only(void) {
    const char *only = NULL;
    for (struct entry *entry = entries; entry; entry = entry->next) {
        if (!only) only = entry->owner;
        // Versions of the same bundle count as one bundle.
        size_t length = strcspn(only, "@");
        if (strcspn(entry->owner, "@") != length || strncmp(entry->owner, only, length) != 0) return NULL;
    }
    return only;
}

bool code_owners_any(void) { return entries != NULL; }

// Returns the exported function at an address. dladdr(3) would wait for the loader's lock, which a library holds that hangs
// while it is loaded.
static const char *function(const struct link_map *map, uintptr_t address) {
    const ElfW(Sym) *symbols = csystem_part(map, DT_SYMTAB);
    const char *names = csystem_part(map, DT_STRTAB);
    const uint32_t *hash = csystem_part(map, DT_GNU_HASH);
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

struct code_name code_name_at(uintptr_t address) {
    struct code_name name = {0};
    const struct link_map *map = csystem_image(address);
    if (!map) return name;
    // The program itself has an empty name.
    name.file = map->l_name && *map->l_name ? map->l_name : "/proc/self/exe";
    name.offset = address - map->l_addr;
    name.symbol = function(map, address);
    return name;
}
