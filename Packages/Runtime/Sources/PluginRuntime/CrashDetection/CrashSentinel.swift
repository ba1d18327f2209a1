import HostSystem
import PluginCore
import Registry
import Synchronization

/// The watch over running code of a version, with its crash log unless the version has run successfully before, until it is ended.
final class CrashSentinel: Sendable {
    private struct Running {
        let log: (file: CrashLogFile, notes: CrashNotes)?
        var watch: HangWatch.Order?
        var mainWatch: HangWatch.Order?
        /// Called once, when the code no longer uses its thread.
        var onRelease: (@Sendable () -> Void)?

        /// Returns whether code of the library is on a stack, if that can be known.
        func isAbout(_ stack: ThreadStack) -> Bool { log.map { stack.has($0.notes) } ?? true }
    }

    private let version: VersionKey
    private let phase: ExecutionPhase
    private let store: CrashLogStore
    private let running: Mutex<Running?>

    /// Begins to watch code that is about to run on this thread.
    ///
    /// - Parameters:
    ///   - file: the crash log; `nil` for a version that has run successfully.
    ///   - isHeld: as for ``CrashLogStore/begin(_:_:isHeld:onRelease:)``.
    init(
        of version: VersionKey, _ phase: ExecutionPhase, in store: CrashLogStore, writing file: CrashLogFile? = nil,
        isHeld: Bool = true, onRelease: (@Sendable () -> Void)? = nil
    ) {
        self.version = version
        self.phase = phase
        self.store = store
        let log = file.map { ($0, CrashNotes(in: $0, isHeld: isHeld)) }
        if let image = store.images.withLock({ $0[version] }) { log?.1.name(image) }
        running = Mutex(Running(log: log, onRelease: onRelease))
        guard isHeld else { return }
        let watch = HangWatch.shared.order(store.limits[phase]) { [weak self] in self?.noteHang(ofThread: $0) }
        running.withLock { $0?.watch = watch }
    }

    deinit { end() }

    /// Sets the loader's name of the library, so that its code is recognized on any thread.
    func isOpening(_ image: String) {
        running.withLock { $0?.log?.notes.name(image) }
        store.images.withLock { $0[version] = image }
    }

    /// Marks that the code has suspended, perhaps waiting for a user, and its thread does other work.
    func gaveWay() {
        let onRelease = running.withLock { running in
            if let watch = running?.watch.take() {
                HangWatch.shared.callOff(watch)
                running?.log?.notes.giveWay()
                running?.log?.file.note(CrashLog.waits)
            }
            return running?.onRelease.take()
        }
        onRelease?()
    }

    /// Marks the end of the load, after which only a crash in the version's own library counts against it, and a task of it that
    /// blocks the main actor.
    ///
    /// - Parameter isBusy: returns whether a call into the library is running, which is watched separately.
    func stay(unless isBusy: @escaping @Sendable () -> Bool) {
        gaveWay()
        let mainWatch = HangWatch.shared.order(store.limits[.running], of: 0) { [weak self] thread in
            if !isBusy() { self?.noteHang(ofThread: thread, isMain: true) }
        }
        running.withLock { running in
            running?.mainWatch = mainWatch
            running?.log?.notes.giveWay()
            running?.log?.file.note(CrashLog.loaded)
        }
    }

    /// Ends the sentinel, because the code has returned.
    func end() {
        guard let ended = running.withLock({ $0.take() }) else { return }
        for watch in [ended.watch, ended.mainWatch].compactMap(\.self) { HangWatch.shared.callOff(watch) }
        ended.log?.file.remove()
        if let (file, notes) = ended.log, notes.close() { file.close() }
        ended.onRelease?()
    }

    /// Records a hang and reports it, unless it isn't the code's.
    private func noteHang(ofThread thread: Int, isMain: Bool = false) {
        var stack = ThreadStack(ofThread: thread)
        // Unwinding stops early in stubs between two libraries, which have no unwind information, so more stacks are read.
        for _ in 0..<20 where !stack.isUnknown && running.withLock({ $0?.isAbout(stack) == false }) {
            Clock.pause(.milliseconds(2))
            stack = ThreadStack(ofThread: thread)
        }
        let outcome = running.withLock { running -> HangReport.Outcome? in
            // The code may have given the thread back meanwhile.
            guard let running, isMain ? running.isAbout(stack) : running.watch != nil else { return nil }
            // Without a thread to go on with, the code waits forever through no fault of its own (`ulimit -u`, `ulimit -v`).
            guard SystemThreads.isOneAvailable else {
                CrashNotes.noteShortage()
                return .shortage
            }
            guard let file = running.log?.file else { return .nothing }
            let isHere = stack.isUnknown || running.isAbout(stack)
            file.note(isHere ? CrashLog.hang : CrashLog.hangNear)
            return isHere ? .quarantine : .strike
        }
        guard let outcome else { return }
        let report = CrashReport(version: version, cause: .hung, phase: isMain ? .running : phase, at: Clock.now())
        store.onHang(HangReport(report: report, outcome: outcome, stack: stack))
    }
}
