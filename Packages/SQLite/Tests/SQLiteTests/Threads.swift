import Synchronization

import Glibc

/// Runs a closure on several threads that start at the same moment, and waits for all of them.
///
/// Tasks are not suitable, because a task group may run short tasks one after the other, and a test of locking would show nothing.
func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let gate = Gate(expected: count)
    let threads = (0..<count).map { index in
        Thread {
            gate.pass()
            body(index)
        }
    }
    for thread in threads { thread.join() }
}

/// A barrier that blocks all threads until the last one has arrived.
private final class Gate: Sendable {
    private let missing: Atomic<Int>

    init(expected: Int) { missing = Atomic(expected) }

    func pass() {
        missing.subtract(1, ordering: .acquiringAndReleasing)
        while missing.load(ordering: .acquiring) > 0 { sched_yield() }
    }
}

/// A thread that runs a closure.
struct Thread {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private var identifier = pthread_t()

    init(_ body: @escaping @Sendable () -> Void) {
        let argument = Unmanaged.passRetained(Body(body)).toOpaque()
        let code = pthread_create(
            &identifier, nil,
            { argument in
                guard let argument else { return nil }
                Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument)
        precondition(code == 0, "no thread: \(code)")
    }

    func join() {
        pthread_join(identifier, nil)
    }
}
