import Synchronization

/// A Boolean value that can be raised from any thread.
final class Flag: Sendable {
    private let state = Atomic<Bool>(false)
    var isRaised: Bool { state.load(ordering: .acquiring) }
    func raise() { state.store(true, ordering: .releasing) }
}
