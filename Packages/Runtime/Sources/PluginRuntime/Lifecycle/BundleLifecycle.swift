public import PluginCore
import Registry
import Synchronization

/// The state machine of one version, which informs the observer of each transition.
///
/// A transition that isn't allowed in the current state is a programming error, and is ignored.
struct BundleLifecycle: Sendable {
    let identity: BundleIdentity
    private(set) var state: BundleState
    fileprivate let lifecycles: Lifecycles

    /// Makes a transition.
    ///
    /// - Parameter isCounted: `false` for the load of a library, which is never unloaded and never retires by itself.
    mutating func advance(to next: BundleState, isCounted: Bool = true) {
        switch (state, next) {
        case (.known, .downloading), (.downloading, .downloading), (.downloading, .staged), (.staged, .verified),
            (.verified, .waiting), (.verified, .installed), (.waiting, .installed), (.retired, .installed),
            (.loaded, .active), (.active, .draining), (.draining, .draining),
            (.waiting, .retired), (.installed, .retired),
            (.waiting, .quarantined), (.installed, .quarantined), (.retired, .quarantined),
            (.known, .removed), (.downloading, .removed), (.staged, .removed), (.verified, .removed),
            (.retired, .removed), (.quarantined, .removed):
            break
        case (.installed, .loaded):
            // A version can be loaded as soon as its commit is visible, and is reported as installed before.
            lifecycles.committing.withLock { _ in }
            if isCounted { lifecycles.count(identity, 1) }
        case (.loaded, .retired), (.active, .retired), (.draining, .retired): lifecycles.count(identity, -1)
        default: return assertionFailure("\(identity) cannot go from \(state) to \(next)")
        }
        state = next
        lifecycles.observer(LifecycleEvent(identity: identity, state: next))
    }
}

/// The state of one version of a bundle.
///
///     known -> downloading -> staged -> verified -> installed -> loaded -> active -> draining -> retired -> removed
///
/// A version that becomes active at the next start of a host is `waiting` before it is `installed`. After a rollback, a
/// `retired` version is `installed` again. A version that crashed or hung a host is `quarantined` until it is removed. A
/// version that is rejected becomes `removed` from its current state.
public enum BundleState: Hashable, Sendable {
    /// The version is in the catalog, and its installation begins.
    case known
    /// The version is being downloaded or extracted: the completed and the total number of bytes, and their content.
    case downloading(done: UInt64, total: UInt64, DownloadContent)
    /// The version is extracted completely in the staging folder.
    case staged
    /// The version has been verified, with the team that sealed it.
    case verified(team: String)
    /// The version is in place, and becomes active when a host starts next.
    case waiting
    /// The version is in place and is the active version in the registry.
    case installed(Arrival)
    /// The library is loaded in this process.
    case loaded
    /// The principal object has started and receives requests.
    case active
    /// The version receives no new requests; some calls are running, and some pages are open.
    case draining(calls: Int, pages: Int)
    /// This process doesn't use the version any longer, for the given reason.
    case retired(Retirement)
    /// The version crashed or hung a host for the given reason, and can't be used any longer.
    case quarantined(reason: ErrorReason)
    /// The version is deleted from the disk.
    case removed

    /// The ways in which a version becomes the active one.
    public enum Arrival: Hashable, Sendable {
        /// It was newly installed.
        case new
        /// It was staged, and adopted at the start of a host.
        case adopted
        /// It was active before, and was rolled back to.
        case returned
    }

    /// The reasons why a version isn't in use.
    public enum Retirement: Hashable, Sendable {
        /// Another version replaced it.
        case replaced
        /// No version of its bundle is in use.
        case withdrawn
        /// The session has ended.
        case ended
        /// Its process has ended, with the reason.
        case crashed(ErrorReason)
        /// It failed to start, with the reason.
        case refused(ErrorReason)
        /// It was removed from the registry.
        case released
    }
}

/// A state transition of one version of a bundle.
public struct LifecycleEvent: Hashable, Sendable {
    /// The version.
    public let identity: BundleIdentity
    /// The new state.
    public let state: BundleState
}

/// A closure that receives every state transition of every bundle, on the thread of the transition.
public typealias LifecycleObserver = @Sendable (LifecycleEvent) -> Void

/// The state machines of all versions: their initial states, and the transitions that changes of the registry cause.
final class Lifecycles: Sendable {
    let observer: LifecycleObserver
    /// Held from before a commit until its transitions have been reported.
    let committing = Mutex(())
    /// The number of times that this process has loaded each version; one may be loaded again while its earlier pages are open.
    private let loaded = Mutex<[BundleIdentity: Int]>([:])

    init(_ observer: @escaping LifecycleObserver) {
        self.observer = observer
    }

    /// Begins the life of a version that is about to be installed.
    func begin(_ identity: BundleIdentity) -> BundleLifecycle {
        observer(LifecycleEvent(identity: identity, state: .known))
        return resume(identity, in: .known)
    }

    /// Continues the life of an installed version in its current state.
    func resume(_ identity: BundleIdentity, in state: BundleState) -> BundleLifecycle {
        BundleLifecycle(identity: identity, state: state, lifecycles: self)
    }

    fileprivate func count(_ identity: BundleIdentity, _ change: Int) {
        loaded.withLock { loaded in
            let count = loaded[identity, default: 0] + change
            loaded[identity] = count == 0 ? nil : count
        }
    }

    /// Informs the observer of the transitions that a change of the registry causes for existing versions.
    ///
    /// Transitions of the installed version itself are reported by its installer.
    ///
    /// - Parameters:
    ///   - before: the bundle before the change.
    ///   - staged: the version that was staged before the change.
    func tell(_ change: RegistryChange, after before: InstalledBundle?, staged: PluginBundle?) {
        switch change {
        case .activate(let version):
            if staged == version.bundle { pass(version.bundle, from: .waiting, to: .installed(.adopted)) }
            if let before, before.active != version.bundle { retire(before.active, .replaced) }
        case .stage: break
        case .unstage(let bundle): pass(bundle, from: .waiting, to: .retired(.withdrawn))
        case .rollBack(let bundle, _, _):
            pass(bundle, from: .retired(.replaced), to: .installed(.returned))
            if let before { retire(before.active, .replaced) }
        case .remove(_, let crashedVersions, _):
            for (bundle, reason) in crashedVersions {
                let state: BundleState = bundle == before?.active ? .installed(.new) : .retired(.replaced)
                pass(bundle, from: state, to: .quarantined(reason: reason))
            }
            if let before, crashedVersions[before.active] == nil { retire(before.active, .withdrawn) }
            if let staged { pass(staged, from: .waiting, to: .retired(.withdrawn)) }
        case .undoInstall:
            if let before { retire(before.active, .withdrawn) }
            if let staged { pass(staged, from: .waiting, to: .retired(.withdrawn)) }
        case .quarantine(let bundle, let reason, let successor):
            let state: BundleState =
                bundle == before?.active ? .installed(.new) : bundle == staged ? .waiting : .retired(.replaced)
            pass(bundle, from: state, to: .quarantined(reason: reason))
            if let (successor, _) = successor { pass(successor, from: .retired(.replaced), to: .installed(.returned)) }
        }
    }

    /// Retires a version, unless this process has loaded it; then it retires after its calls and pages have ended.
    private func retire(_ bundle: PluginBundle, _ why: BundleState.Retirement) {
        guard loaded.withLock({ $0[bundle.identity] == nil }) else { return }
        pass(bundle, from: .installed(.new), to: .retired(why))
    }

    private func pass(_ bundle: PluginBundle, from state: BundleState, to next: BundleState) {
        var lifecycle = resume(bundle.identity, in: state)
        lifecycle.advance(to: next)
    }
}
