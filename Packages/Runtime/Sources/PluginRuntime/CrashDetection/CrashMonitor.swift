import HostSystem
import PluginCore
import PluginRouter
import Registry
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
            let order = isHeld ? crashLogs.watchOnly(bundle.key, phase) : nil
            return WatchedCall { if let order { HangWatch.shared.callOff(order) } }
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
    private let onRelease: Mutex<(@Sendable () -> Void)?>

    /// Creates a watched call.
    ///
    /// - Parameters:
    ///   - sentinel: the crash log of the call, if any.
    ///   - onRelease: called once, when the call has released its thread.
    init(sentinel: CrashSentinel? = nil, onRelease: (@Sendable () -> Void)? = nil) {
        self.sentinel = sentinel
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

    private func release() { onRelease.withLock { $0.take() }?() }
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

/// The sentinel of a version's running code, with its crash log, until it is ended.
final class CrashSentinel: Sendable {
    /// The maximum number of stacks that are read to find the library's code.
    private static let samples = 20

    private struct Running {
        let file: CrashLogFile
        let notes: CrashNotes
        var watch: HangWatch.Order?
        var mainWatch: HangWatch.Order?
    }

    private let running: Mutex<Running?>
    private let onName: @Sendable (String) -> Void

    init(_ file: CrashLogFile, about image: String?, isHeld: Bool, onName: @escaping @Sendable (String) -> Void) {
        let notes = CrashNotes(in: file, isHeld: isHeld)
        if let image { notes.name(image) }
        running = Mutex(Running(file: file, notes: notes, watch: nil))
        self.onName = onName
    }

    deinit { end() }

    /// A closure called for a hang with the stack of the thread and the outcome.
    typealias OnHang = @Sendable (ThreadStack, HangReport.Outcome) -> Void

    /// Records a hang and calls a closure when the code blocks its thread for a given time.
    func watch(for limit: Duration, _ onHang: @escaping OnHang) {
        let order = HangWatch.shared.order(limit) { [weak self] thread in
            // It may have given the thread back meanwhile.
            self?.noteHang(ofThread: thread, onHang) { running, _ in running.watch == nil }
        }
        running.withLock { $0?.watch = order }
    }

    /// Records a hang and calls a closure when code of the library blocks the main actor for a given time.
    ///
    /// Calls into the library are watched separately, and ignored here.
    func watchMain(for limit: Duration, unless isBusy: @escaping @Sendable () -> Bool, _ onHang: @escaping OnHang) {
        let order = HangWatch.shared.orderMain(limit) { [weak self] thread in
            if isBusy() { return }
            self?.noteHang(ofThread: thread, onHang) { running, stack in !stack.has(running.notes) }
        }
        running.withLock { $0?.mainWatch = order }
    }

    /// Sets the loader's name of the library, so that its code is recognized on any thread.
    func isOpening(_ image: String) {
        running.withLock { $0?.notes.name(image) }
        onName(image)
    }

    /// Marks that the code has suspended, perhaps waiting for a user, and its thread does other work.
    func gaveWay() {
        running.withLock { running in
            guard let watch = running?.watch, let notes = running?.notes else { return }
            running?.watch = nil
            HangWatch.shared.callOff(watch)
            notes.giveWay()
            running?.file.note(CrashLog.waits)
        }
    }

    /// Marks the end of the load, after which only a crash in the version's own library counts against it.
    func stay() {
        gaveWay()
        running.withLock { running in
            guard let running else { return }
            running.notes.giveWay()
            running.file.note(CrashLog.loaded)
        }
    }

    /// Ends the sentinel, because the code has returned.
    func end() {
        guard let ended = running.withLock({ $0.take() }) else { return }
        for watch in [ended.watch, ended.mainWatch].compactMap(\.self) { HangWatch.shared.callOff(watch) }
        ended.file.remove()
        if ended.notes.close() { ended.file.close() }
    }

    /// Reads the stack of a thread, repeatedly if none of the library's code is on it.
    ///
    /// Unwinding stops early in stubs between two libraries, which have no unwind information.
    private func stack(ofThread thread: Int) -> ThreadStack {
        var stack = ThreadStack(ofThread: thread)
        for _ in 0..<Self.samples where !stack.isUnknown && !isAbout(stack) {
            Clock.pause(.milliseconds(2))
            stack = ThreadStack(ofThread: thread)
        }
        return stack
    }

    private func isAbout(_ stack: ThreadStack) -> Bool {
        running.withLock { running in running.map { stack.has($0.notes) } ?? false }
    }

    /// Records a hang and calls a closure, unless the hang isn't the code's.
    private func noteHang(
        ofThread thread: Int, _ onHang: OnHang, unless isOthers: (Running, ThreadStack) -> Bool
    ) {
        let stack = stack(ofThread: thread)
        let outcome = running.withLock { running -> HangReport.Outcome? in
            guard let running, !isOthers(running, stack) else { return nil }
            if ThreadShortage.isThere {
                ThreadShortage.note()
                return .shortage
            }
            let isHere = stack.isUnknown || stack.has(running.notes)
            running.file.note(isHere ? CrashLog.hang : CrashLog.hangNear)
            return isHere ? .quarantine : .strike
        }
        if let outcome { onHang(stack, outcome) }
    }
}
