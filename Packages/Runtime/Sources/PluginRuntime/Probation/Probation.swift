import PluginCore
import PluginRouter
import Synchronization

/// What a manager does with versions that have not proven themselves: it writes down when their code runs.
struct Probation: Sendable {
    let book: ProbationBook
    /// A Boolean value that indicates whether a version has shown that it runs; nothing is written down for it then.
    let isProven: @Sendable (PluginBundle) -> Bool
    /// The versions in this process that have not.
    let trials: Trials

    /// - Parameters:
    ///   - book: where markers are written.
    ///   - isProven: whether a version has shown that it runs.
    ///   - onProof: hears that it has: its code was used, and nothing has come after it. On whatever thread that was.
    init(
        book: ProbationBook, isProven: @escaping @Sendable (PluginBundle) -> Bool,
        onProof: @escaping @Sendable (PluginBundle) -> Void
    ) {
        self.book = book
        self.isProven = isProven
        trials = Trials(settling: book.limits.settling) { bundle in
            book.clearStrikes(bundle.identity, digest: bundle.digest)
            onProof(bundle)
        }
    }

    /// What brought a host down, if this version did and has not been put away yet.
    ///
    /// - Throws: as ``ProbationBook/verdict(on:digest:)``.
    func verdict(on bundle: PluginBundle) throws(AtriumError) -> ProbationVerdict? {
        isProven(bundle) ? nil : try book.verdict(on: bundle.identity, digest: bundle.digest)
    }

    /// The load of a version begins, on the actor's thread.
    func load(_ bundle: PluginBundle, isolation: isolated any Actor = #isolation) -> ProbationMark? {
        guard !isProven(bundle), !trials.isProven(bundle),
            let mark = book.begin(bundle.identity, digest: bundle.digest, phase: .load)
        else { return nil }
        // The actor comes to this when the load first waits.
        Task {
            _ = isolation
            mark.gaveWay()
        }
        return mark
    }

    /// The load of a version is over, and its code stays in the process.
    func loaded(_ bundle: PluginBundle, _ mark: ProbationMark) {
        guard trials.begin(bundle, mark) else { return }
        book.watchMain(for: mark, bundle.identity, digest: bundle.digest) { [trials] in !trials.isIdle(bundle) }
    }

    /// Who watches the first calls into a version; `nil` for one that is proven.
    func watch(of bundle: PluginBundle) -> FirstCall.Watch? {
        if isProven(bundle) { return nil }
        return { isHeld in
            let call = begin(bundle, .firstUse, isHeld: isHeld)
            return FirstCall {
                call.gaveWay()
            } ended: { isUse in
                call.end()
                if isUse { trials.use(bundle) }
            }
        }
    }

    /// A call into a version's code begins, on this thread.
    func begin(_ bundle: PluginBundle, _ phase: ProbationPhase, isHeld: Bool = true) -> WatchedCall {
        guard !isProven(bundle), !trials.isProven(bundle) else {
            return WatchedCall(
                order: isHeld ? book.watchOnly(bundle.identity, digest: bundle.digest, phase: phase) : nil)
        }
        let mark = book.begin(bundle.identity, digest: bundle.digest, phase: phase, isHeld: isHeld)
        guard isHeld else { return WatchedCall(mark: mark) }
        trials.hold(bundle)
        return WatchedCall(mark: mark) { trials.release(bundle) }
    }
}

/// A call into code of a bundle that somebody watches.
final class WatchedCall: Sendable {
    private let mark: ProbationMark?
    private let order: HangWatch.Order?
    private let onRelease: Mutex<(@Sendable () -> Void)?>

    /// - Parameters:
    ///   - mark: what is written down of it, if anything.
    ///   - order: what else watches its thread.
    ///   - onRelease: called once, when it has given its thread back.
    init(
        mark: ProbationMark? = nil, order: HangWatch.Order? = nil, onRelease: (@Sendable () -> Void)? = nil
    ) {
        self.mark = mark
        self.order = order
        self.onRelease = Mutex(onRelease)
    }

    /// The code waits, and its thread does something else.
    func gaveWay() {
        mark?.gaveWay()
        release()
    }

    /// The code has returned.
    func end() {
        mark?.end()
        release()
    }

    private func release() {
        if let order { HangWatch.shared.callOff(order) }
        onRelease.withLock { $0.take() }?()
    }
}
