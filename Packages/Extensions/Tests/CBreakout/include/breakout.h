#ifndef CBREAKOUT_H
#define CBREAKOUT_H

#include <stdbool.h>

// Attempts of a confined process to reach something that is not its own. The table knows nothing about its caller, so that plugins
// in a real runner can make the same attempts.

// The targets of the attempts. The caller creates them, and each may be lost in an attempt that succeeds.
struct breakout_targets {
    // A folder outside with the files "secret" and "writable", which the user may read and write.
    const char *_Nullable outside;
    // The data of another plugin: a folder with the file "notes".
    const char *_Nullable other;
    // The host's registry, a file that the user may write.
    const char *_Nullable registry;
    // The process's own bundle with the file "manifest.json".
    const char *_Nullable bundle;
    // The process's own container with the files "own", "link", a link to outside/secret, and "door", a link to outside.
    const char *_Nullable container;
    // A Unix socket of the host, and the name of another one that has no path. Both accept connections.
    const char *_Nullable socket;
    const char *_Nullable abstract;
    // TCP ports of 127.0.0.1 and ::1 that accept connections, a UDP port, and a TCP port that is free.
    int tcp, tcp6, udp, free_port;
    // A process of the same user, and the address of eight bytes in its memory.
    int host;
    unsigned long host_address;
    // Inherited descriptors of outside/secret and of outside.
    int leaked_file, leaked_folder;
    // Limits that are lower than those of an unconfined process.
    unsigned long address_space, open_files, file_size, processor_seconds;
};

// Sets a target by its name. Returns false if there is no such target.
bool breakout_set(struct breakout_targets *_Nonnull targets, const char *_Nonnull name, const char *_Nonnull value);

enum breakout_control {
    // The attempt succeeds in an unconfined process of any user.
    breakout_control_any,
    // The attempt succeeds in an unconfined process of root, if the kernel was built with the feature.
    breakout_control_root,
    // An unconfined attempt would be harmful, or fails as well. The reason is in `note`.
    breakout_control_none,
};

struct breakout_attempt {
    const char *_Nonnull name;
    // The result in a fully confined process: names of errors or signals, separated by spaces, or "possible" for an attempt that
    // succeeds because nothing denies it.
    const char *_Nonnull expected;
    // Whether the filter of system calls denies it without Landlock.
    bool by_filter;
    enum breakout_control control;
    // Returns 0 if the attempt has succeeded, or the error that refused it.
    int (*_Nonnull run)(const struct breakout_targets *_Nonnull targets);
    // The reason for `breakout_control_none`, or NULL.
    const char *_Nullable note;
};

// Returns the attempt with an index from 0, or NULL after the last one.
const struct breakout_attempt *_Nullable breakout_attempt_at(int index);

// Returns the name of an error, such as "EACCES".
const char *_Nonnull breakout_error_name(int number);

// Returns the address of eight bytes that other processes try to read.
unsigned long breakout_secret_address(void);

// Writes a line to standard output at once.
void breakout_print(const char *_Nonnull line);

// For the test program: starts it again, as a confined process that waits, and returns the number or -1; opens a library; starts a thread
// that waits forever; waits until standard input ends.
int breakout_spawn_waiting(const char *_Nonnull container);
const char *_Nullable breakout_load(const char *_Nonnull library);
int breakout_start_thread(void);
void breakout_wait(void);
// Puts another file or folder in the place of a system's one, for this process only. Returns 0 or an error.
int breakout_replace(const char *_Nonnull place, const char *_Nonnull other);
// Connects to the server of an address with libcurl. Returns NULL or the problem.
const char *_Nullable breakout_fetch(const char *_Nonnull address);
int breakout_parent(void);

#endif
