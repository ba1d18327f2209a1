#define _GNU_SOURCE
#include "system.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <sys/eventfd.h>
#include <sys/inotify.h>

int csystem_wake_open(int ends[2]) {
    ends[0] = ends[1] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    return ends[0] < 0 ? -1 : 0;
}

int csystem_watch_open(void) { return inotify_init1(IN_CLOEXEC | IN_NONBLOCK); }

int csystem_watch_add(int watch, const char *folder) {
    return inotify_add_watch(
        watch, folder,
        IN_CREATE | IN_MOVED_TO | IN_DELETE | IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR);
}

void csystem_watch_remove(int watch, int folder) { inotify_rm_watch(watch, folder); }

void csystem_watch_take(
    int watch, void (*body)(int folder, int event, const char *name, void *context), void *context) {
    // Large enough for one event with the longest possible name; further events take further reads.
    char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    while (1) {
        ssize_t count = read(watch, buffer, sizeof buffer);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return;
        for (char *place = buffer; place < buffer + count;) {
            const struct inotify_event *event = (const struct inotify_event *)place;
            const char *name = event->len > 0 ? event->name : "";
            if (event->mask & (IN_CREATE | IN_MOVED_TO)) body(event->wd, csystem_watch_came, name, context);
            if (event->mask & (IN_DELETE | IN_MOVED_FROM)) body(event->wd, csystem_watch_went, name, context);
            if (event->mask & (IN_DELETE_SELF | IN_MOVE_SELF | IN_IGNORED | IN_UNMOUNT | IN_Q_OVERFLOW))
                body(event->wd, csystem_watch_lost, "", context);
            place += sizeof *event + event->len;
        }
    }
}

void csystem_wake(const int ends[2]) {
    uint64_t one = 1;
    while (write(ends[1], &one, sizeof one) < 0 && errno == EINTR) {
    }
}

void csystem_wake_close(const int ends[2]) {
    close(ends[0]);
    if (ends[1] != ends[0]) close(ends[1]);
}
