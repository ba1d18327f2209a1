internal import CSystem
#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import PluginCore
import Synchronization

/// The statement that a version's code is at work, until it is ended.
final class ProbationMark: Sendable {
    /// How often a thread is asked for its stack.
    private static let samples = 20

    private struct Running {
        let file: MarkerFile
        let slot: Int32
        var watch: HangWatch.Order?
        var mainWatch: HangWatch.Order?
    }

    private let running: Mutex<Running?>
    private let onName: @Sendable (String) -> Void

    init(_ file: MarkerFile, about image: String?, isHeld: Bool, onName: @escaping @Sendable (String) -> Void) {
        let slot = crash_notes_open(file.descriptor, isHeld)
        if let image { crash_notes_name(slot, image) }
        running = Mutex(Running(file: file, slot: slot, watch: nil))
        self.onName = onName
    }

    deinit { end() }

    /// Is told of code that holds its thread for too long: where it is, and what was noted.
    typealias OnHang = @Sendable (ThreadStack, HangReport.Consequence) -> Void

    /// Has it noted when the code holds its thread for so long, and `onHang` called then.
    func watch(for limit: Duration, _ onHang: @escaping OnHang) {
        let order = HangWatch.shared.order(limit) { [weak self] thread in
            guard let self else { return }
            let stack = self.stack(ofThread: thread)
            // It may have given the thread back meanwhile.
            guard let consequence = self.noteHang(stack, isOver: { $0.watch == nil }) else { return }
            onHang(stack, consequence)
        }
        running.withLock { $0?.watch = order }
    }

    /// Has it noted when code of the library holds the main actor for so long, and `onHang` called then; not while the library's
    /// code was called, which is watched by itself.
    func watchMain(for limit: Duration, unless isBusy: @escaping @Sendable () -> Bool, _ onHang: @escaping OnHang) {
        let order = HangWatch.shared.orderMain(limit) { [weak self] thread in
            guard let self, !isBusy() else { return }
            let stack = self.stack(ofThread: thread)
            guard self.isAbout(stack), let consequence = self.noteHang(stack, isOver: { _ in false }) else { return }
            onHang(stack, consequence)
        }
        running.withLock { $0?.mainWatch = order }
    }

    /// The library that is about to be opened has this name for the loader: so its code is known on any thread.
    func isOpening(_ image: String) {
        running.withLock { running in
            if let slot = running?.slot { crash_notes_name(slot, image) }
        }
        onName(image)
    }

    /// The code has given its thread back: it waits, maybe for a user, and the thread does something else.
    func gaveWay() {
        running.withLock { running in
            guard let watch = running?.watch, let slot = running?.slot else { return }
            running?.watch = nil
            HangWatch.shared.callOff(watch)
            crash_notes_give_way(slot)
            running?.file.note(ProbationMarker.waits)
        }
    }

    /// The load is over: from now on only a crash in the version's own library speaks against it.
    func stay() {
        gaveWay()
        running.withLock { running in
            guard let running else { return }
            crash_notes_give_way(running.slot)
            running.file.note(ProbationMarker.loaded)
        }
    }

    /// The code has run.
    func end() {
        guard let ended = running.withLock({ $0.take() }) else { return }
        for watch in [ended.watch, ended.mainWatch].compactMap(\.self) { HangWatch.shared.callOff(watch) }
        unlink(ended.file.path.string)
        if crash_notes_close(ended.slot) { ended.file.close() }
    }

    /// The stack of a thread, with the library's code on it if there is some: the walk along it ends early where the thread is just
    /// between two libraries, for which there is no unwind information.
    private func stack(ofThread thread: Int) -> ThreadStack {
        var stack = ThreadStack(ofThread: thread)
        for _ in 0..<Self.samples where !stack.isUnknown && !isAbout(stack) {
            usleep(2_000)
            stack = ThreadStack(ofThread: thread)
        }
        return stack
    }

    private func isAbout(_ stack: ThreadStack) -> Bool {
        running.withLock { running in running.map { stack.has($0.slot) } ?? false }
    }

    /// Notes that the code holds a thread, unless that is over.
    private func noteHang(_ stack: ThreadStack, isOver: (Running) -> Bool) -> HangReport.Consequence? {
        running.withLock { running in
            guard let running, !isOver(running) else { return nil }
            if ThreadShortage.isThere {
                ThreadShortage.note()
                return .shortage
            }
            let isHere = stack.isUnknown || stack.has(running.slot)
            running.file.note(isHere ? ProbationMarker.hang : ProbationMarker.hangNear)
            return isHere ? .quarantine : .strike
        }
    }
}
