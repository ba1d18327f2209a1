import Foundation
import Synchronization

/// Runs a closure on several threads that start at the same moment, and waits for all of them.
///
/// Tasks are not suitable, because a task group may run short tasks one after the other, and a test of locking would show nothing.
func inParallel(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    let (gate, ended) = (Gate(expected: count), DispatchSemaphore(value: 0))
    for index in 0..<count {
        Thread.detachNewThread {
            gate.pass()
            body(index)
            ended.signal()
        }
    }
    for _ in 0..<count { ended.wait() }
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
