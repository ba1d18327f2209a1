import HostSystem
import PluginCore
import PluginRouter
import Registry
import Synchronization

/// The crash detection of a manager for versions that haven't run successfully yet.
///
/// A version has run successfully when a first use has returned, and then the session has ended properly, or some time has passed
/// without a crash and the main actor has then run a task. Until then the crash log of its load stays, so that a crash of its code is
/// recognized by its address on any thread, whichever task ran it. See Documentation/Decisions/0001-crash-detection.md.
final class CrashMonitor: Sendable {
    /// The first run of a version in this process, with the sentinel of its load.
    private struct FirstRun {
        let bundle: PluginBundle
        let sentinel: CrashSentinel
        /// The number of calls into its code that currently use a thread.
        var runningCalls = 0
        var isUsed = false
        /// A Boolean value that indicates whether only running calls keep the run from counting as successful.
        var isStable = false
    }

    private struct State {
        var runs: [VersionKey: FirstRun] = [:]
        /// The versions that have run successfully in this process.
        var hasRun: Set<VersionKey> = []
    }

    let crashLogs: CrashLogStore
    private let onSuccessfulRun: @Sendable (PluginBundle) -> Void
    private let state = Mutex(State())

    /// Creates the crash detection of a manager.
    ///
    /// - Parameters:
    ///   - crashLogs: writes and reads the crash logs.
    ///   - onSuccessfulRun: called on any thread when a version has run successfully.
    init(crashLogs: CrashLogStore, onSuccessfulRun: @escaping @Sendable (PluginBundle) -> Void) {
        self.crashLogs = crashLogs
        self.onSuccessfulRun = onSuccessfulRun
    }

    /// Returns the crash or hang that a version has caused and for which it hasn't been quarantined yet.
    ///
    /// - Throws: as ``CrashLogStore/report(on:)``.
    func report(on bundle: PluginBundle) throws(AtriumError) -> CrashReport? {
        bundle.hasRunSince == nil ? try crashLogs.report(on: bundle.key) : nil
    }

    /// Marks the beginning of a load, on the actor's thread.
    func load(_ bundle: PluginBundle, isolation: isolated any Actor = #isolation) -> CrashSentinel? {
        guard !hasRun(bundle), let sentinel = crashLogs.begin(bundle.key, .load) else { return nil }
        // The actor runs this task when the load suspends for the first time.
        Task {
            _ = isolation
            sentinel.gaveWay()
        }
        return sentinel
    }

    /// Marks the end of a load, after which the code stays in the process; if it was loaded before, the earlier sentinel is kept.
    func loaded(_ bundle: PluginBundle, _ sentinel: CrashSentinel) {
        let isFirst = state.withLock { state in
            guard state.runs[bundle.key] == nil else { return false }
            state.runs[bundle.key] = FirstRun(bundle: bundle, sentinel: sentinel)
            return true
        }
        guard isFirst else { return sentinel.end() }
        sentinel.stay { [self] in state.withLock { $0.runs[bundle.key]?.runningCalls != 0 } }
    }

    /// Returns a closure that watches the first calls into a version.
    ///
    /// - Returns: `nil` for one that has run successfully.
    func watch(of bundle: PluginBundle) -> FirstCall.Watch? {
        if bundle.hasRunSince != nil { return nil }
        return { [self] isHeld in
            let call = begin(bundle, .firstUse, isHeld: isHeld)
            return FirstCall {
                call?.gaveWay()
            } ended: { isUse in
                call?.end()
                if isUse { self.use(bundle) }
            }
        }
    }

    /// Marks the beginning of a call into a version's code, on this thread.
    ///
    /// - Returns: the sentinel of the call; `nil` when there is nothing to watch.
    func begin(_ bundle: PluginBundle, _ phase: ExecutionPhase, isHeld: Bool = true) -> CrashSentinel? {
        if hasRun(bundle) { return isHeld ? CrashSentinel(of: bundle.key, phase, in: crashLogs) : nil }
        guard isHeld else { return crashLogs.begin(bundle.key, phase, isHeld: false) }
        change(bundle) { $0.runningCalls += 1 }
        let onRelease = { @Sendable [self] in _ = change(bundle) { $0.runningCalls -= 1 } }
        let sentinel = crashLogs.begin(bundle.key, phase, onRelease: onRelease)
        if sentinel == nil { onRelease() }
        return sentinel
    }

    /// Records that a use of a version's code has returned.
    func use(_ bundle: PluginBundle) {
        let settling = crashLogs.limits.settling
        var isFirst = false
        let isKnown = change(bundle) { run in
            isFirst = !run.isUsed
            run.isUsed = true
            if settling == .zero { run.isStable = true }
        }
        // There is no sentinel, because no crash log could be written, so there is nothing to wait for.
        guard isKnown else { return recordSuccessfulRun(bundle) }
        guard isFirst, settling > .zero else { return }
        Task.detached { [weak self] in
            try? await Task.sleep(for: settling)
            // The version may still block the main actor, and keeps its crash log until the main actor runs again.
            await MainActor.run {}
            self?.change(bundle) { $0.isStable = true }
        }
    }

    /// Ends the first runs of all versions that have been used, which have then run successfully.
    func recordUsedVersions() {
        for bundle in state.withLock({ $0.runs.values.filter(\.isUsed).map(\.bundle) }) {
            change(bundle) { $0.isStable = true }
        }
    }

    /// Ends all first runs, at the end of a session.
    func end() {
        for run in state.withLock({ exchange(&$0.runs, with: [:]) }).values { end(run) }
    }

    private func hasRun(_ bundle: PluginBundle) -> Bool {
        bundle.hasRunSince != nil || state.withLock { $0.hasRun.contains(bundle.key) }
    }

    /// Changes a first run, and ends it when all conditions are met.
    ///
    /// - Returns: whether the version is in its first run.
    @discardableResult
    private func change(_ bundle: PluginBundle, _ body: (inout FirstRun) -> Void) -> Bool {
        var ended: FirstRun?
        let isKnown = state.withLock { state in
            guard var run = state.runs[bundle.key] else { return false }
            body(&run)
            if run.isStable, run.runningCalls == 0 { ended = run }
            state.runs[bundle.key] = ended == nil ? run : nil
            return true
        }
        if let ended { end(ended) }
        return isKnown
    }

    private func end(_ run: FirstRun) {
        if run.isUsed { recordSuccessfulRun(run.bundle) }
        run.sentinel.end()
    }

    private func recordSuccessfulRun(_ bundle: PluginBundle) {
        guard state.withLock({ $0.hasRun.insert(bundle.key).inserted }) else { return }
        crashLogs.clearStrikes(bundle.key)
        onSuccessfulRun(bundle)
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

    subscript(phase: ExecutionPhase) -> Duration { phase == .load ? load : firstUse }
}
