import PluginCore
import Synchronization

/// Knows which version's code ran when a host died: a marker file says so for as long as the code runs for the first time.
///
/// ```swift
/// let mark = book.begin(bundle.identity, digest: bundle.digest, phase: .load)
/// defer { mark?.end() }
/// mark?.isOpening(library.string)
/// ```
///
/// What the file survives is the end of the process, not a power cut, which no bundle causes.
final class ProbationBook: Sendable {
    let sandbox: Sandbox
    var folder: FilePath { sandbox.probation }
    let limits: ProbationLimits
    private let onHang: @Sendable (HangReport) -> Void
    /// By what name the loader knows the libraries of versions.
    private let images = Mutex<[Version: String]>([:])

    /// A book of a sandbox; nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - sandbox: where markers lie.
    ///   - limits: for how long code may hold its thread.
    ///   - onHang: is told, on a thread of its own, of code that holds its thread for longer; that has been written down then,
    ///     so a host may end itself.
    init(
        _ sandbox: Sandbox, limits: ProbationLimits = ProbationLimits(),
        onHang: @escaping @Sendable (HangReport) -> Void = { _ in }
    ) {
        self.sandbox = sandbox
        self.limits = limits
        self.onHang = onHang
    }

    /// Writes down that a version's code begins to run, on this thread.
    ///
    /// - Parameters:
    ///   - identity: which version.
    ///   - digest: the digest of its content.
    ///   - phase: what of it runs.
    ///   - isHeld: whether ``ProbationMark/gaveWay()`` will tell when the code gives this thread back. Otherwise it is not known
    ///     to hold the thread, and neither a hang nor a host that is killed says anything about it.
    /// - Returns: what to end; `nil` when nothing can be written, which is no reason not to go on.
    func begin(
        _ identity: BundleIdentity, digest: String, phase: ProbationPhase, isHeld: Bool = true
    ) -> ProbationMark? {
        let marker = ProbationMarker(identity, digest: digest, phase: phase, startedAt: Clock.now())
        guard (try? sandbox.requireOwn([folder])) != nil,
            let file = MarkerFile(writing: marker, waits: !isHeld, in: folder)
        else { return nil }
        let version = Version(identity: identity, digest: digest)
        let mark = ProbationMark(file, about: images.withLock { $0[version] }, isHeld: isHeld) { [weak self] name in
            self?.images.withLock { $0[version] = name }
        }
        if isHeld { mark.watch(for: limits[phase]) { self.tell(of: marker, $0, $1) } }
        return mark
    }

    /// Tells of code that holds the main actor though nobody has called it: a task of a version that was loaded.
    func watchMain(
        for mark: ProbationMark, _ identity: BundleIdentity, digest: String,
        unless isBusy: @escaping @Sendable () -> Bool
    ) {
        let marker = ProbationMarker(identity, digest: digest, phase: .running, startedAt: Clock.now())
        mark.watchMain(for: limits[.running], unless: isBusy) { self.tell(of: marker, $0, $1) }
    }

    /// Has code of a version that has run successfully watched on this thread, for which nothing is written.
    func watchOnly(_ identity: BundleIdentity, digest: String, phase: ProbationPhase) -> HangWatch.Order {
        let marker = ProbationMarker(identity, digest: digest, phase: phase, startedAt: Clock.now())
        return HangWatch.shared.order(limits[phase]) { thread in
            let consequence = ThreadShortage.isThere ? HangReport.Consequence.shortage : .nothing
            self.tell(of: marker, ThreadStack(ofThread: thread), consequence)
        }
    }

    private func tell(of marker: ProbationMarker, _ stack: ThreadStack, _ consequence: HangReport.Consequence) {
        onHang(
            HangReport(
                verdict: marker.verdict(.hung, at: Clock.now()), consequence: consequence, stack: stack.lines))
    }

    /// A version by its content.
    struct Version: Hashable {
        let identity: BundleIdentity
        let digest: String
    }

    /// A version has shown that it runs: what spoke against it was chance.
    func clearStrikes(_ identity: BundleIdentity, digest: String) {
        remove { marker in
            if case .strike = marker.weight { marker.identity == identity && marker.digest == digest } else { false }
        }
    }
}
