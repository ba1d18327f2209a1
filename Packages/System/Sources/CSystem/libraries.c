#define _GNU_SOURCE
#include "code_owners.h"
#include "system.h"

#include <dlfcn.h>
#include <gnu/lib-names.h>
#include <link.h>
#include <stdint.h>
#include <string.h>

struct visit {
    void (*body)(const char *path, void *context);
    void *context;
};

static int pass(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size;
    const struct visit *visit = data;
    visit->body(object->dlpi_name, visit->context);
    return 0;
}

void csystem_each_loaded(void (*body)(const char *path, void *context), void *context) {
    struct visit visit = {body, context};
    dl_iterate_phdr(pass, &visit);
}

struct loaded_search {
    const char *name;
    bool is_found;
};

// Returns the name that a library gives itself (DT_SONAME), or NULL.
static const char *soname(const struct dl_phdr_info *object) {
    const ElfW(Dyn) *entry = NULL;
    for (int index = 0; index < object->dlpi_phnum; index++) {
        const ElfW(Phdr) *header = &object->dlpi_phdr[index];
        if (header->p_type == PT_DYNAMIC) entry = (const ElfW(Dyn) *)(object->dlpi_addr + header->p_vaddr);
    }
    ElfW(Addr) strings = 0;
    ElfW(Xword) name = 0;
    bool has_name = false;
    for (; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag == DT_STRTAB) strings = entry->d_un.d_ptr;
        if (entry->d_tag == DT_SONAME) {
            name = entry->d_un.d_val;
            has_name = true;
        }
    }
    if (!has_name || strings == 0) return NULL;
    // The loader has replaced the offset by an address where it can write; in the kernel's vDSO it is still an offset.
    if (strings < object->dlpi_addr) strings += object->dlpi_addr;
    return (const char *)strings + name;
}

static int search(struct dl_phdr_info *object, size_t size, void *data) {
    (void)size;
    struct loaded_search *search = data;
    const char *slash = strrchr(object->dlpi_name, '/');
    const char *own = soname(object);
    search->is_found = strcmp(slash ? slash + 1 : object->dlpi_name, search->name) == 0 ||
        (own && strcmp(own, search->name) == 0);
    return search->is_found;
}

bool csystem_is_loaded(const char *name) {
    struct loaded_search found = {name, false};
    dl_iterate_phdr(search, &found);
    return found.is_found;
}

const char *csystem_loaded_name(void *library) {
    struct link_map *map;
    return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 ? map->l_name : NULL;
}

const char *csystem_libc_file(int index) {
    static const char *const names[] = {
        LIBC_SO, LD_SO, LIBDL_SO, LIBM_SO, LIBPTHREAD_SO, LIBRESOLV_SO, LIBRT_SO, LIBUTIL_SO,
    };
    int count = (int)(sizeof names / sizeof *names);
    return index >= 0 && index < count ? names[index] : NULL;
}

// Returns the address of a part of a library from its dynamic section, where the loader has turned most offsets into addresses.
static const void *part(const struct link_map *map, ElfW(Sxword) tag) {
    for (const ElfW(Dyn) *entry = map->l_ld; entry && entry->d_tag != DT_NULL; entry++) {
        if (entry->d_tag != tag) continue;
        ElfW(Addr) address = entry->d_un.d_ptr;
        return (const void *)(address < map->l_addr ? address + map->l_addr : address);
    }
    return NULL;
}

// Returns the exported function at an address. dladdr(3) would wait for the loader's lock, which a library holds that hangs
// while it is loaded.
static const char *function(const struct link_map *map, uintptr_t address) {
    const ElfW(Sym) *symbols = part(map, DT_SYMTAB);
    const char *names = part(map, DT_STRTAB);
    const uint32_t *hash = part(map, DT_GNU_HASH);
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

struct csystem_place csystem_place(const void *address) {
    struct csystem_place place = {0};
    const struct link_map *map = code_owners_image((uintptr_t)address);
    if (!map) return place;
    // The program itself has an empty name.
    place.file = map->l_name && *map->l_name ? map->l_name : "/proc/self/exe";
    place.offset = (uintptr_t)address - map->l_addr;
    place.symbol = function(map, (uintptr_t)address);
    return place;
}
