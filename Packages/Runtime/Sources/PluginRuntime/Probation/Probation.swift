import Registry
import HostSystem
import PluginCore
import PluginRouter
import Synchronization

/// The crash detection of a manager for versions that haven't run successfully yet.
struct Probation: Sendable {
    let book: ProbationBook
    /// Returns whether a version has run successfully before, so that nothing needs to be written for it.
    let isProven: @Sendable (PluginBundle) -> Bool
    /// The versions in this process that haven't run successfully yet.
    let trials: Trials

    /// Creates the crash detection of a manager.
    ///
    /// - Parameters:
    ///   - book: writes and reads the markers.
    ///   - isProven: returns whether a version has run successfully before.
    ///   - onProof: called on any thread when a version has run successfully.
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

    /// Returns the crash or hang that a version has caused and for which it hasn't been quarantined yet.
    ///
    /// - Throws: as ``ProbationBook/verdict(on:digest:)``.
    func verdict(on bundle: PluginBundle) throws(AtriumError) -> ProbationVerdict? {
        isProven(bundle) ? nil : try book.verdict(on: bundle.identity, digest: bundle.digest)
    }

    /// Marks the beginning of a load, on the actor's thread.
    func load(_ bundle: PluginBundle, isolation: isolated any Actor = #isolation) -> ProbationMark? {
        guard !isProven(bundle), !trials.isProven(bundle),
            let mark = book.begin(bundle.identity, digest: bundle.digest, phase: .load)
        else { return nil }
        // The actor runs this task when the load suspends for the first time.
        Task {
            _ = isolation
            mark.gaveWay()
        }
        return mark
    }

    /// Marks the end of a load, after which the code stays in the process.
    func loaded(_ bundle: PluginBundle, _ mark: ProbationMark) {
        guard trials.begin(bundle, mark) else { return }
        book.watchMain(for: mark, bundle.identity, digest: bundle.digest) { [trials] in !trials.isIdle(bundle) }
    }

    /// Returns a closure that watches the first calls into a version.
    ///
    /// - Returns: `nil` for one that has run successfully.
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

    /// Marks the beginning of a call into a version's code, on this thread.
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

/// A watched call into code of a bundle.
final class WatchedCall: Sendable {
    private let mark: ProbationMark?
    private let order: HangWatch.Order?
    private let onRelease: Mutex<(@Sendable () -> Void)?>

    /// Creates a watched call.
    ///
    /// - Parameters:
    ///   - mark: the marker of the call, if any.
    ///   - order: an additional watch of its thread.
    ///   - onRelease: called once, when the call has released its thread.
    init(
        mark: ProbationMark? = nil, order: HangWatch.Order? = nil, onRelease: (@Sendable () -> Void)? = nil
    ) {
        self.mark = mark
        self.order = order
        self.onRelease = Mutex(onRelease)
    }

    /// Marks that the code has suspended, and its thread does other work.
    func gaveWay() {
        mark?.gaveWay()
        release()
    }

    /// Marks that the code has returned.
    func end() {
        mark?.end()
        release()
    }

    private func release() {
        if let order { HangWatch.shared.callOff(order) }
        onRelease.withLock { $0.take() }?()
    }
}
