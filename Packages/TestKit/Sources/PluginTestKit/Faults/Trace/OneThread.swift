internal import PluginCore

/// A library that has a Swift program do all its work on its main thread, when it is loaded before it (`LD_PRELOAD`).
///
/// strace(1) counts the calls of each thread apart, and which thread of Swift's pool does a piece of work is chance: the
/// third `rename` of a program is then no place that can be named. With the library the calls are the same ones, in the
/// same order in each run. It uses the hooks that Swift's concurrency has for this, and serves the main queue as
/// CoreFoundation's run loop does, because `dispatch_main` would give it to another thread.
struct OneThread: Sendable {
    /// The library's file name.
    static let name = "libOneThread.so"

    let library: FilePath

    private static let source = """
        #include <poll.h>
        #include <stdint.h>
        #include <unistd.h>
        #define SWIFT __attribute__((swiftcall))
        #define MAYBE __attribute__((weak))
        extern void swift_task_enqueueMainExecutor(void *job) SWIFT MAYBE;
        extern void *swift_task_enqueueGlobal_hook MAYBE;
        extern void *swift_task_asyncMainDrainQueue_hook MAYBE;
        extern int _dispatch_get_main_queue_handle_4CF(void) MAYBE;
        extern void _dispatch_main_queue_callback_4CF(void *) MAYBE;

        SWIFT static void on_main(void *job, void *original) { swift_task_enqueueMainExecutor(job); }

        SWIFT static void drain(void *original, void *override) {
          struct pollfd queue = {_dispatch_get_main_queue_handle_4CF(), POLLIN, 0};
          for (;;) {
            uint64_t count;
            poll(&queue, 1, -1);
            if (read(queue.fd, &count, sizeof count) >= 0) _dispatch_main_queue_callback_4CF(0);
          }
        }

        __attribute__((constructor)) static void start(void) {
          if (!&swift_task_enqueueGlobal_hook || !&swift_task_asyncMainDrainQueue_hook) return;
          if (!swift_task_enqueueMainExecutor || !_dispatch_main_queue_callback_4CF) return;
          swift_task_enqueueGlobal_hook = (void *)on_main;
          swift_task_asyncMainDrainQueue_hook = (void *)drain;
        }

        """

    /// Compiles it, with the clang that is part of Swift.
    ///
    /// - Throws: ``FixtureError``.
    init(in folder: ThrowawayFolder) async throws {
        library = folder.appending(Self.name)
        let source = try folder.write(Self.source, to: "one-thread.c")
        let result = try await Executable("/usr/bin/env").run(
            "clang", "-shared", "-fPIC", "-O1", source.string, "-o", library.string)
        guard result.status == 0 else { throw FixtureError("\(Self.name) cannot be built; \(result)") }
    }
}
