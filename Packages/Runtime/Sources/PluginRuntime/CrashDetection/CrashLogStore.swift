import Registry
import HostSystem
import PluginCore
import Synchronization

/// The crash logs of a sandbox, which exist while a version's code runs for the first time and so survive a crash.
///
/// ```swift
/// let sentinel = store.begin(bundle.identity, digest: bundle.digest, phase: .load)
/// defer { sentinel?.end() }
/// sentinel?.isOpening(library.string)
/// ```
///
/// Crash logs aren't synced to the disk, since they must survive the end of the process but not a power failure. See
/// Documentation/Decisions/0001-crash-detection.md.
final class CrashLogStore: Sendable {
    let sandbox: Sandbox
    var folder: FilePath { sandbox.crashLogs }
    let limits: CrashMonitorLimits
    private let onHang: @Sendable (HangReport) -> Void
    /// The error of the last attempt to quarantine crashed versions, if it failed.
    let obstacle = Mutex<(any Error)?>(nil)
    /// The loader's names of the versions' libraries.
    private let images = Mutex<[Version: String]>([:])

    /// Creates the store of a sandbox, without reading or writing anything.
    ///
    /// - Parameters:
    ///   - sandbox: the sandbox with the crash logs.
    ///   - limits: the time limits of the code.
    ///   - onHang: called on a separate thread when code exceeds its time limit. The hang has been recorded then, so a host may
    ///     end its process.
    init(
        _ sandbox: Sandbox, limits: CrashMonitorLimits = CrashMonitorLimits(),
        onHang: @escaping @Sendable (HangReport) -> Void = { _ in }
    ) {
        self.sandbox = sandbox
        self.limits = limits
        self.onHang = onHang
    }

    /// Writes a crash log before a version's code runs on this thread.
    ///
    /// - Parameters:
    ///   - identity: the version.
    ///   - digest: the digest of its content.
    ///   - phase: the part of its code that runs.
    ///   - isHeld: whether ``CrashSentinel/gaveWay()`` will be called when the code releases this thread. Otherwise neither a
    ///     hang nor the killing of the host counts against the version.
    /// - Returns: the mark to end; `nil` when nothing can be written, which isn't an error.
    func begin(
        _ identity: BundleIdentity, digest: String, phase: ExecutionPhase, isHeld: Bool = true
    ) -> CrashSentinel? {
        let crashLog = CrashLog(identity, digest: digest, phase: phase, startedAt: Clock.now())
        guard (try? sandbox.requireOwn([folder])) != nil,
            let file = CrashLogFile(writing: crashLog, waits: !isHeld, in: folder)
        else { return nil }
        let version = Version(identity: identity, digest: digest)
        let sentinel = CrashSentinel(file, about: images.withLock { $0[version] }, isHeld: isHeld) { [weak self] name in
            self?.images.withLock { $0[version] = name }
        }
        if isHeld { sentinel.watch(for: limits[phase]) { self.tell(of: crashLog, $0, $1) } }
        return sentinel
    }

    /// Watches the main actor for a task of a loaded version that blocks it.
    func watchMain(
        for sentinel: CrashSentinel, _ identity: BundleIdentity, digest: String,
        unless isBusy: @escaping @Sendable () -> Bool
    ) {
        let crashLog = CrashLog(identity, digest: digest, phase: .running, startedAt: Clock.now())
        sentinel.watchMain(for: limits[.running], unless: isBusy) { self.tell(of: crashLog, $0, $1) }
    }

    /// Watches a call into a version that has run successfully, without a crash log.
    func watchOnly(_ identity: BundleIdentity, digest: String, phase: ExecutionPhase) -> HangWatch.Order {
        let crashLog = CrashLog(identity, digest: digest, phase: phase, startedAt: Clock.now())
        return HangWatch.shared.order(limits[phase]) { thread in
            let consequence = ThreadShortage.isThere ? HangReport.Consequence.shortage : .nothing
            self.tell(of: crashLog, ThreadStack(ofThread: thread), consequence)
        }
    }

    private func tell(of crashLog: CrashLog, _ stack: ThreadStack, _ consequence: HangReport.Consequence) {
        onHang(
            HangReport(
                report: crashLog.report(.hung, at: Clock.now()), consequence: consequence, stack: stack.lines))
    }

    /// A version, identified by its content.
    struct Version: Hashable {
        let identity: BundleIdentity
        let digest: String
    }

    /// Removes the strikes of a version that has run successfully.
    func clearStrikes(_ identity: BundleIdentity, digest: String) {
        remove { crashLog in
            if case .strike = crashLog.attribution {
                crashLog.identity == identity && crashLog.digest == digest
            } else {
                false
            }
        }
    }
}
