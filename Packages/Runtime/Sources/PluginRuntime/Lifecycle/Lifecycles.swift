import Registry
import PluginCore
import Synchronization

/// The state machines of all versions: their initial states, and the transitions that changes of the registry cause.
final class Lifecycles: Sendable {
    let observer: LifecycleObserver
    /// The number of times that this process has loaded each version; one may be loaded again while its earlier pages are open.
    private let loaded = Mutex<[BundleIdentity: Int]>([:])

    init(_ observer: @escaping LifecycleObserver) {
        self.observer = observer
    }

    /// Begins the life of a version that is about to be installed.
    func begin(_ identity: BundleIdentity) -> BundleLifecycle {
        observer(LifecycleEvent(identity: identity, state: .known))
        return BundleLifecycle(identity, in: .known, of: self)
    }

    /// Continues the life of an installed version in its current state.
    func resume(_ identity: BundleIdentity, in state: BundleState) -> BundleLifecycle {
        BundleLifecycle(identity, in: state, of: self)
    }

    func count(_ identity: BundleIdentity, _ change: Int) {
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
            if staged == version.bundle { resume(version.bundle, .waiting) { $0.adopt() } }
            if let before, before.active != version.bundle { retire(before.active, .replaced) }
        case .stage: break
        case .unstage(let bundle): resume(bundle, .waiting) { $0.retire(.withdrawn) }
        case .rollBack(let bundle, _, _):
            resume(bundle, .retired(.replaced)) { $0.goBack() }
            if let before { retire(before.active, .replaced) }
        case .remove(_, let crashedVersions, _):
            for (bundle, reason) in crashedVersions {
                let state: BundleState = bundle == before?.active ? .installed(.new) : .retired(.replaced)
                resume(bundle, state) { $0.quarantine(reason) }
            }
            if let before, crashedVersions[before.active] == nil { retire(before.active, .withdrawn) }
            if let staged { resume(staged, .waiting) { $0.retire(.withdrawn) } }
        case .undoInstall:
            if let before { retire(before.active, .withdrawn) }
            if let staged { resume(staged, .waiting) { $0.retire(.withdrawn) } }
        case .quarantine(let bundle, let reason, let successor):
            let state: BundleState =
                bundle == before?.active ? .installed(.new) : bundle == staged ? .waiting : .retired(.replaced)
            resume(bundle, state) { $0.quarantine(reason) }
            if let (successor, _) = successor { resume(successor, .retired(.replaced)) { $0.goBack() } }
        }
    }

    /// Retires a version, unless this process has loaded it; then it retires after its calls and pages have ended.
    private func retire(_ bundle: PluginBundle, _ why: BundleState.Retirement) {
        guard loaded.withLock({ $0[bundle.identity] == nil }) else { return }
        resume(bundle, .installed(.new)) { $0.retire(why) }
    }

    private func resume(_ bundle: PluginBundle, _ state: BundleState, _ step: (inout BundleLifecycle) -> Void) {
        var lifecycle = resume(bundle.identity, in: state)
        step(&lifecycle)
    }
}
