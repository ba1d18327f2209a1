#define _GNU_SOURCE
#include "attempts.h"

#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

static char secret[8] = "secret";

unsigned long breakout_secret_address(void) { return (unsigned long)secret; }

const struct breakout_attempt *breakout_attempt_at(int index) {
    const struct breakout_attempt *const tables[] = {file_attempts, process_attempts, network_attempts, system_attempts};
    const int counts[] = {file_count, process_count, network_count, system_count};
    for (int table = 0; index >= 0 && table < 4; index -= counts[table++]) {
        if (index < counts[table]) return &tables[table][index];
    }
    return NULL;
}

const char *breakout_error_name(int number) {
    const char *name = strerrorname_np(number);
    return name == NULL ? "unknown" : name;
}

static const struct {
    const char *name;
    size_t offset;
} texts[] = {
    {"outside", offsetof(struct breakout_targets, outside)}, {"other", offsetof(struct breakout_targets, other)},
    {"registry", offsetof(struct breakout_targets, registry)}, {"bundle", offsetof(struct breakout_targets, bundle)},
    {"container", offsetof(struct breakout_targets, container)}, {"socket", offsetof(struct breakout_targets, socket)},
    {"abstract", offsetof(struct breakout_targets, abstract)},
}, integers[] = {
    {"tcp", offsetof(struct breakout_targets, tcp)}, {"tcp6", offsetof(struct breakout_targets, tcp6)},
    {"udp", offsetof(struct breakout_targets, udp)}, {"freePort", offsetof(struct breakout_targets, free_port)},
    {"host", offsetof(struct breakout_targets, host)}, {"leakedFile", offsetof(struct breakout_targets, leaked_file)},
    {"leakedFolder", offsetof(struct breakout_targets, leaked_folder)},
}, numbers[] = {
    {"hostAddress", offsetof(struct breakout_targets, host_address)},
    {"addressSpace", offsetof(struct breakout_targets, address_space)},
    {"openFiles", offsetof(struct breakout_targets, open_files)},
    {"fileSize", offsetof(struct breakout_targets, file_size)},
    {"processorSeconds", offsetof(struct breakout_targets, processor_seconds)},
};

#define EACH(list, body) \
    for (size_t index = 0; index < sizeof(list) / sizeof(list)[0]; index++) { \
        if (strcmp(list[index].name, name) != 0) continue; \
        char *field = (char *)targets + list[index].offset; \
        body; \
        return true; \
    }

bool breakout_set(struct breakout_targets *targets, const char *name, const char *value) {
    EACH(texts, *(const char **)field = strdup(value))
    EACH(integers, *(int *)field = atoi(value))
    EACH(numbers, *(unsigned long *)field = strtoul(value, NULL, 10))
    return false;
}

void breakout_print(const char *line) { dprintf(STDOUT_FILENO, "%s\n", line); }

int breakout_spawn_waiting(const char *container) {
    extern char **environ;
    PATH(folder, "container=%s", container);
    char *arguments[] = {"breakout", "confine", folder, "wait=yes", NULL};
    pid_t child;
    return posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments, environ) == 0 ? child : -1;
}

const char *breakout_load(const char *library) { return dlopen(library, RTLD_NOW | RTLD_LOCAL) == NULL ? dlerror() : NULL; }

static void *wait_forever(void *nothing) {
    for (;;) pause();
    return nothing;
}

int breakout_start_thread(void) {
    pthread_t thread;
    return pthread_create(&thread, NULL, wait_forever, NULL);
}

void breakout_wait(void) {
    char byte;
    while (read(STDIN_FILENO, &byte, 1) > 0) continue;
}

int breakout_replace(const char *place, const char *other) {
    if (unshare(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return errno;
    return TRY(mount(other, place, NULL, MS_BIND, NULL));
}

const char *breakout_fetch(const char *address) {
    void *library = dlopen("libcurl.so.4", RTLD_NOW);
    if (library == NULL) return dlerror();
    void *(*make)(void) = (void *(*)(void))dlsym(library, "curl_easy_init");
    int (*set)(void *, int, ...) = (int (*)(void *, int, ...))dlsym(library, "curl_easy_setopt");
    int (*perform)(void *) = (int (*)(void *))dlsym(library, "curl_easy_perform");
    const char *(*text)(int) = (const char *(*)(int))dlsym(library, "curl_easy_strerror");
    void *request = make();
    set(request, 10002, address);  // CURLOPT_URL
    set(request, 141, 1L);         // CURLOPT_CONNECT_ONLY
    set(request, 13, 20L);         // CURLOPT_TIMEOUT
    set(request, 10177, "");       // CURLOPT_NOPROXY
    int status = perform(request);
    return status == 0 ? NULL : text(status);
}

int breakout_parent(void) { return getppid(); }
