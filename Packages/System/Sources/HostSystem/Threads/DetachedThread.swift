import CSystem
import Glibc
package import PluginCore

/// A thread of its own, for code that waits for descriptors and so must not occupy a thread of Swift's tasks.
package enum DetachedThread {
    private final class Body {
        let run: @Sendable () -> Void

        init(_ run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    /// Runs a closure on a new thread, which ends with it.
    ///
    /// - Parameter receivesSignals: Whether the thread receives all signals. Otherwise it receives those of its own faults, and SIGPROF.
    /// - Throws: ``AtriumError`` with code `inputOutput` if there are too many threads.
    package static func run(
        receivingSignals receivesSignals: Bool = false, _ body: @escaping @Sendable () -> Void
    ) throws(AtriumError) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        pthread_attr_setstacksize(&attributes, 1 << 20)
        var (blocked, before) = (sigset_t(), sigset_t())
        if receivesSignals { sigemptyset(&blocked) } else { sigfillset(&blocked) }
        // A blocked fault would end the process without running its handler.
        for fault in SignalName.names.keys { sigdelset(&blocked, fault) }
        // SIGPROF requests a stack, and must reach the threads that libdispatch starts from here, which inherit this mask.
        sigdelset(&blocked, SIGPROF)
        pthread_sigmask(SIG_SETMASK, &blocked, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let box = Unmanaged.passRetained(Body(body))
        var thread = pthread_t()
        let error = pthread_create(
            &thread, &attributes,
            { argument in
                if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
                return nil
            }, box.toOpaque())
        guard error == 0 else {
            box.release()
            throw FileSystem.failure(reason: "startingFailed", "thread", error)
        }
    }
}

/// The threads that the system gives this process.
package enum SystemThreads {
    /// A Boolean value that indicates whether one more thread could be had just now.
    package static var isOneAvailable: Bool {
        var thread = pthread_t()
        guard pthread_create(&thread, nil, { $0 }, nil) == 0 else { return false }
        return pthread_join(thread, nil) == 0
    }

    /// The number of the calling thread.
    package static var current: Int { Int(gettid()) }
}
