#define _GNU_SOURCE
#include "code_owners.h"

#include <stddef.h>

#include <dlfcn.h>
#include <link.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unwind.h>

struct entry {
    const char *image;
    const char *owner;
    struct entry *next;
};

static struct entry *_Atomic entries;

extern int _dl_find_object(void *address, struct dl_find_object *result) __attribute__((weak));

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

const struct link_map *code_owners_image(uintptr_t address) {
    struct dl_find_object found;
    return _dl_find_object && _dl_find_object((void *)address, &found) == 0 ? found.dlfo_link_map : NULL;
}

struct code_place code_owners_at(uintptr_t address) {
    struct code_place place = {NULL, false};
    const struct link_map *image = code_owners_image(address);
    const char *name = image ? image->l_name : NULL;
    if (!name) return place;
    // The program comes first in the loader's list and has an empty name. The library with this code is the host's, too.
    place.is_program = !*name || image == code_owners_image((uintptr_t)&code_owners_at);
    const struct entry *entry = place.is_program ? NULL : entry_of(name);
    if (entry) place.owner = entry->owner;
    return place;
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

void code_owners_each_caller(bool (*body)(uintptr_t address, void *context), void *context) {
    struct walk walk = {body, context, 0};
    _Unwind_Backtrace(step, &walk);
}

// A search for the calling code. The innermost frames are this file's own, which is code of the program too, and are skipped.
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
    code_owners_each_caller(search, &state);
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
