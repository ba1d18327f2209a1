import PluginCore

/// Moves one version of a bundle from state to state: one function per transition, each telling the observer. A
/// transition that the state does not allow is our own mistake, and is refused rather than made.
struct BundleLifecycle: Sendable {
    let identity: BundleIdentity
    private(set) var state: BundleState
    private let observer: LifecycleObserver

    init(_ identity: BundleIdentity, from state: BundleState = .known, observer: @escaping LifecycleObserver) {
        self.identity = identity
        self.state = state
        self.observer = observer
    }

    mutating func download(done: UInt64, total: UInt64) {
        switch state {
        case .known, .downloading: enter(.downloading(done: done, total: total))
        default: return
        }
    }

    mutating func stage() { advance(to: .staged) { if case .downloading = $0 { true } else { false } } }
    mutating func verify() { advance(to: .verified) { $0 == .staged } }
    mutating func install() { advance(to: .installed) { $0 == .verified } }
    mutating func load() { advance(to: .loaded) { $0 == .installed } }
    mutating func activate() { advance(to: .active) { $0 == .loaded } }
    mutating func drain() { advance(to: .draining) { $0 == .active } }
    mutating func retire() { advance(to: .retired) { $0 == .draining || $0 == .loaded || $0 == .installed } }
    mutating func remove() { advance(to: .removed) { $0 == .retired } }

    private mutating func advance(to next: BundleState, from isAllowed: (BundleState) -> Bool) {
        guard isAllowed(state) else {
            assertionFailure("\(identity) can not go from \(state) to \(next)")
            return
        }
        enter(next)
    }

    private mutating func enter(_ next: BundleState) {
        state = next
        observer(LifecycleEvent(identity: identity, state: next))
    }
}
