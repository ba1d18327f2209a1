import Synchronization

/// Something that has happened or not.
final class Flag: Sendable {
    private let state = Atomic<Bool>(false)
    var isRaised: Bool { state.load(ordering: .acquiring) }
    func raise() { state.store(true, ordering: .releasing) }
}
