#define _GNU_SOURCE
#include "system.h"

#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <string.h>
#include <unwind.h>

// Returns an entry of a library's dynamic section, or NULL.
static const ElfW(Dyn) *find(const ElfW(Dyn) *entry, ElfW(Sxword) tag) {
    for (; entry && entry->d_tag != DT_NULL; entry++)
        if (entry->d_tag == tag) return entry;
    return NULL;
}

const void *csystem_part(const struct link_map *map, long tag) {
    const ElfW(Dyn) *entry = find(map->l_ld, tag);
    if (!entry) return NULL;
    // The loader has turned most offsets into addresses. In the kernel's vDSO they are still offsets.
    ElfW(Addr) address = entry->d_un.d_ptr;
    return (const void *)(address < map->l_addr ? address + map->l_addr : address);
}

const struct link_map *csystem_map(void *library) {
    struct link_map *map;
    return dlinfo(library, RTLD_DI_LINKMAP, &map) == 0 ? map : NULL;
}

bool csystem_is_loaded(const char *name) {
    for (const struct link_map *map = _r_debug.r_map; map; map = map->l_next) {
        const char *slash = strrchr(map->l_name, '/');
        const char *strings = csystem_part(map, DT_STRTAB);
        const ElfW(Dyn) *own = find(map->l_ld, DT_SONAME);
        if (strcmp(slash ? slash + 1 : map->l_name, name) == 0) return true;
        if (strings && own && strcmp(strings + own->d_un.d_val, name) == 0) return true;
    }
    return false;
}

extern int _dl_find_object(void *address, struct dl_find_object *result) __attribute__((weak));

const struct link_map *csystem_image(uintptr_t address) {
    struct dl_find_object found;
    return _dl_find_object && _dl_find_object((void *)address, &found) == 0 ? found.dlfo_link_map : NULL;
}

struct walk {
    bool (*body)(uintptr_t address, void *context);
    void *context;
    int frames;
};

enum { FRAMES = 512 };

static _Unwind_Reason_Code step(struct _Unwind_Context *frame, void *data) {
    struct walk *walk = data;
    int is_before = 0;
    uintptr_t address = _Unwind_GetIPInfo(frame, &is_before);
    if (address == 0 || ++walk->frames > FRAMES) return _URC_END_OF_STACK;
    // A return address may lie just past the end of a function that never returns.
    return walk->body(is_before ? address : address - 1, walk->context) ? _URC_NO_REASON : _URC_END_OF_STACK;
}

void csystem_each_caller(bool (*body)(uintptr_t address, void *context), void *context) {
    struct walk walk = {body, context, 0};
    _Unwind_Backtrace(step, &walk);
}
