import Registry
import HostSystem
import PluginCore
import PluginRouter
import Synchronization

/// The crash detection of a manager for versions that haven't run successfully yet.
struct CrashMonitor: Sendable {
    let crashLogs: CrashLogStore
    /// Returns whether a version has run successfully before, so that nothing needs to be written for it.
    let hasRunBefore: @Sendable (PluginBundle) -> Bool
    /// The first runs of versions in this process.
    let firstRuns: FirstRuns

    /// Creates the crash detection of a manager.
    ///
    /// - Parameters:
    ///   - crashLogs: writes and reads the crash logs.
    ///   - hasRunBefore: returns whether a version has run successfully before.
    ///   - onSuccessfulRun: called on any thread when a version has run successfully.
    init(
        crashLogs: CrashLogStore, hasRunBefore: @escaping @Sendable (PluginBundle) -> Bool,
        onSuccessfulRun: @escaping @Sendable (PluginBundle) -> Void
    ) {
        self.crashLogs = crashLogs
        self.hasRunBefore = hasRunBefore
        firstRuns = FirstRuns(settling: crashLogs.limits.settling) { bundle in
            crashLogs.clearStrikes(bundle.key)
            onSuccessfulRun(bundle)
        }
    }

    /// Returns the crash or hang that a version has caused and for which it hasn't been quarantined yet.
    ///
    /// - Throws: as ``CrashLogStore/report(on:)``.
    func report(on bundle: PluginBundle) throws(AtriumError) -> CrashReport? {
        hasRunBefore(bundle) ? nil : try crashLogs.report(on: bundle.key)
    }

    /// Marks the beginning of a load, on the actor's thread.
    func load(_ bundle: PluginBundle, isolation: isolated any Actor = #isolation) -> CrashSentinel? {
        guard !hasRunBefore(bundle), !firstRuns.hasRunBefore(bundle),
            let sentinel = crashLogs.begin(bundle.key, .load)
        else { return nil }
        // The actor runs this task when the load suspends for the first time.
        Task {
            _ = isolation
            sentinel.gaveWay()
        }
        return sentinel
    }

    /// Marks the end of a load, after which the code stays in the process.
    func loaded(_ bundle: PluginBundle, _ sentinel: CrashSentinel) {
        guard firstRuns.begin(bundle, sentinel) else { return }
        crashLogs.watchMain(for: sentinel, bundle.key) { [firstRuns] in
            !firstRuns.isIdle(bundle)
        }
    }

    /// Returns a closure that watches the first calls into a version.
    ///
    /// - Returns: `nil` for one that has run successfully.
    func watch(of bundle: PluginBundle) -> FirstCall.Watch? {
        if hasRunBefore(bundle) { return nil }
        return { isHeld in
            let call = begin(bundle, .firstUse, isHeld: isHeld)
            return FirstCall {
                call.gaveWay()
            } ended: { isUse in
                call.end()
                if isUse { firstRuns.use(bundle) }
            }
        }
    }

    /// Marks the beginning of a call into a version's code, on this thread.
    func begin(_ bundle: PluginBundle, _ phase: ExecutionPhase, isHeld: Bool = true) -> WatchedCall {
        guard !hasRunBefore(bundle), !firstRuns.hasRunBefore(bundle) else {
            return WatchedCall(order: isHeld ? crashLogs.watchOnly(bundle.key, phase) : nil)
        }
        let sentinel = crashLogs.begin(bundle.key, phase, isHeld: isHeld)
        guard isHeld else { return WatchedCall(sentinel: sentinel) }
        firstRuns.countCalls(of: bundle, 1)
        return WatchedCall(sentinel: sentinel) { firstRuns.countCalls(of: bundle, -1) }
    }
}

/// A watched call into code of a bundle.
final class WatchedCall: Sendable {
    private let sentinel: CrashSentinel?
    private let order: HangWatch.Order?
    private let onRelease: Mutex<(@Sendable () -> Void)?>

    /// Creates a watched call.
    ///
    /// - Parameters:
    ///   - sentinel: the crash log of the call, if any.
    ///   - order: an additional watch of its thread.
    ///   - onRelease: called once, when the call has released its thread.
    init(
        sentinel: CrashSentinel? = nil, order: HangWatch.Order? = nil, onRelease: (@Sendable () -> Void)? = nil
    ) {
        self.sentinel = sentinel
        self.order = order
        self.onRelease = Mutex(onRelease)
    }

    /// Marks that the code has suspended, and its thread does other work.
    func gaveWay() {
        sentinel?.gaveWay()
        release()
    }

    /// Marks that the code has returned.
    func end() {
        sentinel?.end()
        release()
    }

    private func release() {
        if let order { HangWatch.shared.callOff(order) }
        onRelease.withLock { $0.take() }?()
    }
}

/// The time limits for code of versions that haven't run successfully, and the time until they count as having done so.
public struct CrashMonitorLimits: Hashable, Sendable {
    /// The limit for opening the library and creating the principal object.
    public var load: Duration
    /// The limit for a call, for showing a page, and for the code's own tasks on the main actor.
    ///
    /// For showing a page, it also applies to versions that have run successfully.
    public var firstUse: Duration
    /// The time without a crash after the first use, unless the session ends before.
    public var settling: Duration

    /// Creates limits.
    public init(
        load: Duration = .seconds(20), firstUse: Duration = .seconds(20), settling: Duration = .seconds(5)
    ) {
        self.load = load
        self.firstUse = firstUse
        self.settling = settling
    }

    subscript(phase: ExecutionPhase) -> Duration {
        switch phase {
        case .load: load
        case .firstUse, .page, .pageAction, .running: firstUse
        }
    }
}
