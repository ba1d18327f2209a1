import PluginCore
import Synchronization

/// The lifecycles of all versions that a host sees: where each begins, and what a change of the registry means for those that are
/// there.
final class Lifecycles: Sendable {
    let observer: LifecycleObserver
    /// How often this process has versions loaded; one may come again while its pages are still open.
    private let loaded = Mutex<[BundleIdentity: Int]>([:])

    init(_ observer: @escaping LifecycleObserver) {
        self.observer = observer
    }

    /// A version that is about to come.
    func begin(_ identity: BundleIdentity) -> BundleLifecycle {
        observer(LifecycleEvent(identity: identity, state: .known))
        return BundleLifecycle(identity, in: .known, of: self)
    }

    /// A version that came earlier, maybe when another host ran, to where the registry says that it is.
    func resume(_ identity: BundleIdentity, in state: BundleState) -> BundleLifecycle {
        BundleLifecycle(identity, in: state, of: self)
    }

    func count(_ identity: BundleIdentity, _ change: Int) {
        loaded.withLock { loaded in
            let count = loaded[identity, default: 0] + change
            loaded[identity] = count == 0 ? nil : count
        }
    }

    /// Tells what a change that was made means for the versions that were there. One that has come is told by who has brought it.
    ///
    /// - Parameters:
    ///   - before: what was installed.
    ///   - staged: what was to become active at the next start.
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
        case .remove(_, let culprits, _):
            for (bundle, reason) in culprits {
                let state: BundleState = bundle == before?.active ? .installed(.new) : .retired(.replaced)
                resume(bundle, state) { $0.quarantine(reason) }
            }
            if let before, culprits[before.active] == nil { retire(before.active, .withdrawn) }
            if let staged { resume(staged, .waiting) { $0.retire(.withdrawn) } }
        case .takeBack:
            if let before { retire(before.active, .withdrawn) }
            if let staged { resume(staged, .waiting) { $0.retire(.withdrawn) } }
        case .quarantine(let bundle, let reason, let successor):
            let state: BundleState =
                bundle == before?.active ? .installed(.new) : bundle == staged ? .waiting : .retired(.replaced)
            resume(bundle, state) { $0.quarantine(reason) }
            if let (successor, _) = successor { resume(successor, .retired(.replaced)) { $0.goBack() } }
        }
    }

    /// One that this process has loaded retires when its calls and pages have come to their end.
    private func retire(_ bundle: PluginBundle, _ why: BundleState.Retirement) {
        guard loaded.withLock({ $0[bundle.identity] == nil }) else { return }
        resume(bundle, .installed(.new)) { $0.retire(why) }
    }

    private func resume(_ bundle: PluginBundle, _ state: BundleState, _ step: (inout BundleLifecycle) -> Void) {
        var lifecycle = resume(bundle.identity, in: state)
        step(&lifecycle)
    }
}
