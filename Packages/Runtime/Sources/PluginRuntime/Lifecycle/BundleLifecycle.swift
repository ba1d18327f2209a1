public import PluginCore
import Registry
import Synchronization

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

/// The transitions of all versions, of which it informs the observer.
final class Lifecycles: Sendable {
    private let observer: LifecycleObserver
    /// Held from before a commit until its transitions have been reported.
    let committing = Mutex(())
    /// The number of times that this process has loaded each version; one may be loaded again while its earlier pages are open.
    private let loaded = Mutex<[BundleIdentity: Int]>([:])

    init(_ observer: @escaping LifecycleObserver) {
        self.observer = observer
    }

    /// Informs the observer of a transition.
    func tell(_ identity: BundleIdentity, _ state: BundleState) {
        observer(LifecycleEvent(identity: identity, state: state))
    }

    /// Informs the observer that this process has loaded a version.
    ///
    /// - Parameter isCounted: `false` for a library, which is never unloaded and never retires by itself.
    func tellLoaded(_ identity: BundleIdentity, isCounted: Bool = true) {
        // A version can be loaded as soon as its commit is visible, and is reported as installed before.
        committing.withLock { _ in }
        if isCounted { loaded.withLock { $0[identity, default: 0] += 1 } }
        tell(identity, .loaded)
    }

    /// Informs the observer that this process doesn't use a version any longer that it has loaded.
    func tellRetired(_ identity: BundleIdentity, _ why: BundleState.Retirement) {
        loaded.withLock { loaded in
            let count = loaded[identity, default: 1] - 1
            loaded[identity] = count == 0 ? nil : count
        }
        tell(identity, .retired(why))
    }

    /// Informs the observer of the transitions that a change of the registry causes.
    ///
    /// - Parameters:
    ///   - before: the bundle before the change.
    ///   - staged: the version that was staged before the change.
    func tell(_ change: RegistryChange, after before: InstalledBundle?, staged: PluginBundle?) {
        switch change {
        case .activate(let version):
            tell(version.bundle.identity, .installed(staged == version.bundle ? .adopted : .new))
            if let before, before.active != version.bundle { retire(before.active, .replaced) }
        case .stage(let version): tell(version.bundle.identity, .waiting)
        case .unstage(let bundle): tell(bundle.identity, .retired(.withdrawn))
        case .rollBack(let bundle, _):
            tell(bundle.identity, .installed(.returned))
            if let before { retire(before.active, .replaced) }
        case .remove(_, let crashedVersions, _):
            for (bundle, reason) in crashedVersions { tell(bundle.identity, .quarantined(reason: reason)) }
            if let before, crashedVersions[before.active] == nil { retire(before.active, .withdrawn) }
            if let staged { tell(staged.identity, .retired(.withdrawn)) }
        case .undoInstall:
            if let before { retire(before.active, .withdrawn) }
            if let staged { tell(staged.identity, .retired(.withdrawn)) }
        case .quarantine(let bundle, let reason, let successor):
            tell(bundle.identity, .quarantined(reason: reason))
            if let successor { tell(successor.identity, .installed(.returned)) }
        }
    }

    /// Retires a version, unless this process has loaded it; then it retires after its calls and pages have ended.
    private func retire(_ bundle: PluginBundle, _ why: BundleState.Retirement) {
        if loaded.withLock({ $0[bundle.identity] == nil }) { tell(bundle.identity, .retired(why)) }
    }
}
