internal import Dispatch
import PluginCore

/// Tells whenever a registry may have been changed, by whatever process, until it is stopped or let go of.
///
/// A thread sleeps until the kernel says that something came to the registry's folder or went from it: the rollback journal
/// goes with each commit. Where the kernel cannot say so, the thread wakes once a second. What it tells is "look again", so
/// that whoever listens compares, and a change too many costs nothing but that.
///
/// ```swift
/// let watch = try RegistryWatch(sandbox.registry) { print("look again") }
/// ```
final class RegistryWatch: Sendable {
    private let wake: WakeSignal

    /// Begins to watch; the folders that the registry lies in need not be there.
    ///
    /// - Parameters:
    ///   - registry: the file.
    ///   - isTold: whether to ask the kernel, which may have no room for another watch.
    ///   - pause: how long to wait before the first look. A process that has ended by then never asks the kernel, which takes
    ///     milliseconds to end a watch.
    ///   - onChange: called on a thread of its own, once after the pause and then after changes; many in a short time are one.
    /// - Throws: ``AtriumError`` with code `inputOutput` when the process has no descriptor left.
    init(
        _ registry: FilePath, isTold: Bool = true, after pause: Duration = .zero,
        onChange: @escaping @Sendable () -> Void
    ) throws(AtriumError) {
        let wake = try WakeSignal(for: registry)
        self.wake = wake
        // A serial queue has a thread of its own for as long as it is busy, and this one is until it is stopped.
        let time = DispatchTime.now() + .nanoseconds(Int(pause / .nanoseconds(1)))
        DispatchQueue(label: "atrium.registry-watch").asyncAfter(deadline: time) {
            if case .signal = wake.sleep(for: 0) { return }
            var watcher = FolderWatcher(registry.parent, isTold: isTold, wake: wake) { name, hasCome in
                // A journal that comes is a change that is not done yet.
                name.hasPrefix(registry.lastComponent) && !(hasCome && name.hasSuffix("-journal"))
            }
            watcher.run(onChange)
        }
    }

    /// Tells nothing more, but for what is being told right now.
    func stop() {
        wake.signal()
    }

    deinit {
        stop()
    }
}
