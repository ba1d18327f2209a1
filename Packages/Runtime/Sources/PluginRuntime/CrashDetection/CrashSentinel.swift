import HostSystem
import PluginCore
import Synchronization

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
            guard let self else { return }
            let stack = self.stack(ofThread: thread)
            // It may have given the thread back meanwhile.
            guard let outcome = self.noteHang(stack, isOver: { $0.watch == nil }) else { return }
            onHang(stack, outcome)
        }
        running.withLock { $0?.watch = order }
    }

    /// Records a hang and calls a closure when code of the library blocks the main actor for a given time.
    ///
    /// Calls into the library are watched separately, and ignored here.
    func watchMain(for limit: Duration, unless isBusy: @escaping @Sendable () -> Bool, _ onHang: @escaping OnHang) {
        let order = HangWatch.shared.orderMain(limit) { [weak self] thread in
            guard let self, !isBusy() else { return }
            let stack = self.stack(ofThread: thread)
            guard self.isAbout(stack), let outcome = self.noteHang(stack, isOver: { _ in false }) else { return }
            onHang(stack, outcome)
        }
        running.withLock { $0?.mainWatch = order }
    }

    /// Sets the loader's name of the library, so that its code is recognized on any thread.
    func isOpening(_ image: String) {
        running.withLock { running in
            running?.notes.name(image)
        }
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

    /// Records a hang, unless the code has released the thread.
    private func noteHang(_ stack: ThreadStack, isOver: (Running) -> Bool) -> HangReport.Outcome? {
        running.withLock { running in
            guard let running, !isOver(running) else { return nil }
            if ThreadShortage.isThere {
                ThreadShortage.note()
                return .shortage
            }
            let isHere = stack.isUnknown || stack.has(running.notes)
            running.file.note(isHere ? CrashLog.hang : CrashLog.hangNear)
            return isHere ? .quarantine : .strike
        }
    }
}
