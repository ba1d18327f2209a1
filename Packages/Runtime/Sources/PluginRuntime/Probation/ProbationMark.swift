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
    private struct Running {
        let file: MarkerFile
        let slot: Int32
        var watch: HangWatch.Order?
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

    /// Has it noted when the code holds its thread for so long, and `onHang` called then.
    func watch(for limit: Duration, _ onHang: @escaping @Sendable () -> Void) {
        let order = HangWatch.shared.order(limit) { [weak self] in
            guard let self, self.note(ProbationMarker.hang) else { return }
            onHang()
        }
        running.withLock { $0?.watch = order }
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

    /// The code has run.
    func end() {
        guard let ended = running.withLock({ $0.take() }) else { return }
        if let watch = ended.watch { HangWatch.shared.callOff(watch) }
        unlink(ended.file.path.string)
        if crash_notes_close(ended.slot) { ended.file.close() }
    }

    private func note(_ line: String) -> Bool {
        running.withLock { running in
            guard let running, running.watch != nil else { return false }
            running.file.note(line)
            return true
        }
    }
}
