import PluginCore

/// The state machine of one version: one function per transition, each of which informs the observer.
///
/// A transition that isn't allowed in the current state is a programming error, and is ignored.
struct BundleLifecycle: Sendable {
    let identity: BundleIdentity
    private(set) var state: BundleState
    private let lifecycles: Lifecycles

    /// Creates the state machine of a version in a state.
    ///
    /// It is called only by ``Lifecycles``.
    init(_ identity: BundleIdentity, in state: BundleState, of lifecycles: Lifecycles) {
        self.identity = identity
        self.state = state
        self.lifecycles = lifecycles
    }

    mutating func download(_ download: PackageDownload) {
        advance(to: .downloading(done: download.received, total: download.total, download.content)) {
            switch $0 {
            case .known, .downloading: true
            default: false
            }
        }
    }

    mutating func stage() { advance(to: .staged) { if case .downloading = $0 { true } else { false } } }
    mutating func verify(team: String) { advance(to: .verified(team: team)) { $0 == .staged } }
    mutating func wait() { advance(to: .waiting) { if case .verified = $0 { true } else { false } } }
    mutating func install() { advance(to: .installed(.new)) { if case .verified = $0 { true } else { false } } }
    mutating func adopt() { advance(to: .installed(.adopted)) { $0 == .waiting } }
    mutating func goBack() { advance(to: .installed(.returned)) { if case .retired = $0 { true } else { false } } }

    mutating func load() {
        advance(to: .loaded) { if case .installed = $0 { true } else { false } }
        if state == .loaded { lifecycles.count(identity, 1) }
    }

    /// Marks a library as loaded; it stays in that state, because it has no principal object and is never unloaded.
    mutating func loadLibrary() { advance(to: .loaded) { if case .installed = $0 { true } else { false } } }

    mutating func activate() { advance(to: .active) { $0 == .loaded } }

    mutating func drain(calls: Int, pages: Int) {
        let next = BundleState.draining(calls: calls, pages: pages)
        if state == next { return }
        advance(to: next) {
            switch $0 {
            case .active, .draining: true
            default: false
            }
        }
    }

    mutating func retire(_ why: BundleState.Retirement) {
        switch state {
        case .loaded, .active, .draining: lifecycles.count(identity, -1)
        default: break
        }
        advance(to: .retired(why)) {
            switch $0 {
            case .waiting, .installed, .loaded, .active, .draining: true
            default: false
            }
        }
    }

    mutating func quarantine(_ reason: ErrorReason) {
        advance(to: .quarantined(reason: reason)) {
            switch $0 {
            case .waiting, .installed, .retired: true
            default: false
            }
        }
    }

    /// Removes a version that isn't in use, or whose installation has failed.
    mutating func remove() {
        advance(to: .removed) {
            switch $0 {
            case .known, .downloading, .staged, .verified, .retired, .quarantined: true
            default: false
            }
        }
    }

    private mutating func advance(to next: BundleState, from isAllowed: (BundleState) -> Bool) {
        guard isAllowed(state) else {
            assertionFailure("\(identity) cannot go from \(state) to \(next)")
            return
        }
        state = next
        lifecycles.observer(LifecycleEvent(identity: identity, state: next))
    }
}
