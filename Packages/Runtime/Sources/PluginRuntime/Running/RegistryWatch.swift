import HostSystem
internal import Dispatch
import PluginCore

/// Reports that a registry may have been changed by any process, until it is stopped or released.
///
/// A thread sleeps until the kernel reports a change in the registry's folder, from which the rollback journal disappears with
/// each commit. Where the kernel can't report that, the thread wakes once a second. The receiver has to check for changes, so
/// unnecessary reports only cost a comparison.
///
/// ```swift
/// let watch = try RegistryWatch(sandbox.registry) { print("look again") }
/// ```
final class RegistryWatch: Sendable {
    private let wake: WakeSignal

    /// Starts the watch; the folders of the registry need not exist.
    ///
    /// - Parameters:
    ///   - registry: the file of the registry.
    ///   - isTold: whether to use the kernel's notifications, which may be exhausted.
    ///   - pause: the time before the first check. A process that ends earlier never opens a watch of the kernel, which takes
    ///     milliseconds to close.
    ///   - onChange: called on a separate thread, once after the pause and then after changes; several changes in a short time
    ///     cause one call.
    /// - Throws: ``AtriumError`` with code `inputOutput` when the process has no descriptors left.
    init(
        _ registry: FilePath, isTold: Bool = true, after pause: Duration = .zero,
        onChange: @escaping @Sendable () -> Void
    ) throws(AtriumError) {
        let wake = try WakeSignal(for: registry)
        self.wake = wake
        // A serial queue has a thread while it is busy, and this one is busy until it is stopped.
        let time = DispatchTime.now() + .nanoseconds(Int(pause / .nanoseconds(1)))
        DispatchQueue(label: "atrium.registry-watch").asyncAfter(deadline: time) {
            if case .signal = wake.sleep(for: 0) { return }
            var watcher = FolderWatcher(registry.parent, isTold: isTold, wake: wake) { name, hasCome in
                // A new journal means that a change isn't committed yet.
                name.hasPrefix(registry.lastComponent) && !(hasCome && name.hasSuffix("-journal"))
            }
            watcher.run(onChange)
        }
    }

    /// Stops the watch; a call that is in progress isn't interrupted.
    func stop() {
        wake.signal()
    }

    deinit {
        stop()
    }
}
