import PluginTestKit
import PluginCore

/// A preloaded library that makes a Swift program run everything on its main thread.
///
/// It is loaded with `LD_PRELOAD`. strace(1) counts the calls of each thread separately, and Swift's thread pool distributes work
/// unpredictably, so the third `rename` of a program would not be a well-defined point. With the library, all runs make the same calls in
/// the same order. It uses the hooks of Swift's concurrency runtime, and drains the main queue as CoreFoundation's run loop does, because
/// `dispatch_main` would move it to another thread. Requests over HTTP, which have threads of their own, run on the main thread as well.
struct OneThread: Sendable {
    /// The file name of the library.
    static let name = "libOneThread.so"

    let library: FilePath

    private static let source = """
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <poll.h>
        #include <stdint.h>
        #include <string.h>
        #include <unistd.h>
        #define SWIFT __attribute__((swiftcall))
        #define MAYBE __attribute__((weak))
        extern void swift_task_enqueueMainExecutor(void *job) SWIFT MAYBE;
        extern void *swift_task_enqueueGlobal_hook MAYBE;
        extern void *swift_task_asyncMainDrainQueue_hook MAYBE;
        extern int _dispatch_get_main_queue_handle_4CF(void) MAYBE;
        extern void _dispatch_main_queue_callback_4CF(void *) MAYBE;

        extern const char *dispatch_queue_get_label(void *queue) MAYBE;

        // A block begins with its class, its flags and its function.
        void dispatch_async(void *queue, void *block) {
          static void (*original)(void *, void *);
          if (!original) original = (void (*)(void *, void *))dlsym(RTLD_NEXT, "dispatch_async");
          const char *label = dispatch_queue_get_label ? dispatch_queue_get_label(queue) : 0;
          if (label && strcmp(label, "HTTPClient") == 0) ((void (**)(void *))block)[2](block);
          else original(queue, block);
        }

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

    /// Compiles the library with the clang that is part of Swift.
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
