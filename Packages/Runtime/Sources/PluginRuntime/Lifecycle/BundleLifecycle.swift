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
        let next = BundleState.downloading(done: download.received, total: download.total, download.content)
        advance(to: next, from: [.known, .downloading])
    }

    mutating func stage() { advance(to: .staged, from: [.downloading]) }
    mutating func verify(team: String) { advance(to: .verified(team: team), from: [.staged]) }
    mutating func wait() { advance(to: .waiting, from: [.verified]) }
    mutating func install() { advance(to: .installed(.new), from: [.verified]) }
    mutating func adopt() { advance(to: .installed(.adopted), from: [.waiting]) }
    mutating func goBack() { advance(to: .installed(.returned), from: [.retired]) }

    mutating func load() {
        advance(to: .loaded, from: [.installed])
        if state == .loaded { lifecycles.count(identity, 1) }
    }

    /// Marks a library as loaded; it stays in that state, because it has no principal object and is never unloaded.
    mutating func loadLibrary() { advance(to: .loaded, from: [.installed]) }

    mutating func activate() { advance(to: .active, from: [.loaded]) }

    mutating func drain(calls: Int, pages: Int) {
        let next = BundleState.draining(calls: calls, pages: pages)
        if state != next { advance(to: next, from: [.active, .draining]) }
    }

    mutating func retire(_ why: BundleState.Retirement) {
        if [.loaded, .active, .draining].contains(state.kind) { lifecycles.count(identity, -1) }
        advance(to: .retired(why), from: [.waiting, .installed, .loaded, .active, .draining])
    }

    mutating func quarantine(_ reason: ErrorReason) {
        advance(to: .quarantined(reason: reason), from: [.waiting, .installed, .retired])
    }

    /// Removes a version that isn't in use, or whose installation has failed.
    mutating func remove() {
        advance(to: .removed, from: [.known, .downloading, .staged, .verified, .retired, .quarantined])
    }

    private mutating func advance(to next: BundleState, from allowed: [BundleState.Kind]) {
        guard allowed.contains(state.kind) else {
            assertionFailure("\(identity) cannot go from \(state) to \(next)")
            return
        }
        state = next
        lifecycles.observer(LifecycleEvent(identity: identity, state: next))
    }
}

extension BundleState {
    /// A state without its details.
    fileprivate enum Kind {
        case known, downloading, staged, verified, waiting, installed, loaded, active, draining, retired, quarantined,
            removed
    }

    fileprivate var kind: Kind {
        switch self {
        case .known: .known
        case .downloading: .downloading
        case .staged: .staged
        case .verified: .verified
        case .waiting: .waiting
        case .installed: .installed
        case .loaded: .loaded
        case .active: .active
        case .draining: .draining
        case .retired: .retired
        case .quarantined: .quarantined
        case .removed: .removed
        }
    }
}
