#ifndef CCONFINEMENT_H
#define CCONFINEMENT_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/resource.h>

// The system calls that confine a process. Functions that return int return -1 with errno unless a comment says otherwise.

// Returns the number of threads of this process.
int confinement_thread_count(void);

// Sets the flag by which no program can give this process rights again.
int confinement_no_new_privileges(void);
// Makes this process the leader of a session without a terminal, whose files only the user can read.
int confinement_new_session(void);
// Gives up all capabilities, and clears the bounding set if the process may do that. Other processes of the user cannot read this
// process's memory afterwards.
int confinement_drop_capabilities(void);

enum confinement_limit {
    confinement_limit_address_space = RLIMIT_AS,
    confinement_limit_data = RLIMIT_DATA,
    confinement_limit_stack = RLIMIT_STACK,
    confinement_limit_open_files = RLIMIT_NOFILE,
    confinement_limit_processor_seconds = RLIMIT_CPU,
    confinement_limit_file_size = RLIMIT_FSIZE,
    confinement_limit_core = RLIMIT_CORE,
};
// Sets a limit, or lowers it to the present one, which only privileged processes may exceed.
int confinement_set_limit(enum confinement_limit limit, uint64_t value);

enum confinement_access {
    // Reading files, also as code.
    confinement_access_read,
    // Reading files and listing folders.
    confinement_access_list,
    // The same in /proc. The folder or file stays open: without an open file, the kernel may forget the rule.
    confinement_access_pinned,
    // Reading and writing existing files.
    confinement_access_device,
    // Reading, writing, creating and removing files and folders. The path must be a folder and no link.
    confinement_access_write,
};
// Creates a set of Landlock rules for a version from 1; returns its descriptor.
int confinement_rules_create(int version, bool network);
int confinement_rules_add(int rules, int version, const char *_Nonnull path, enum confinement_access access);
// Enforces the rules on this process and closes the descriptor.
int confinement_rules_enforce(int rules);

// Loads the filter of system calls. Without Landlock or with an old version, it denies more. After a failure, `*call` is the name of the
// refused call if there is one.
int confinement_filter_load(int version, bool network, const char *_Nullable *_Nonnull call);

// Ends this process with its parent, at once if the process `parent` is no longer its parent.
int confinement_follow_parent(int32_t parent);

// Closes all descriptors from a number on.
void confinement_close_descriptors(int32_t first);

// Unblocks all signals, and gives those that are ignored their usual effect.
int confinement_reset_signals(void);

// Removes every variable from the environment but those that plugin code may see (language, time zone, and the places of its own files),
// and overwrites the text from which they were read.
void confinement_clear_environment(void);

// Returns whether there is something at a path.
bool confinement_exists(const char *_Nonnull path);

#endif
