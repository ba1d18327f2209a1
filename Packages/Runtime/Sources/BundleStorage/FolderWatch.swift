internal import HostSystem
internal import PluginCore

/// Calls a closure on a thread of its own at once and when items have disappeared from a folder, until it is released.
final class FolderWatch: Sendable {
    private let wake: WakeSignal

    /// Starts the watch; the folder need not exist.
    ///
    /// - Parameters:
    ///   - isTold: whether to use the kernel's notifications, which a confined process does not get.
    ///   - interval: the time between two calls in milliseconds, where the kernel reports nothing.
    /// - Throws: ``AtriumError`` with code `inputOutput` when the process has no descriptors or threads left.
    init(
        _ folder: FilePath, isTold: Bool, interval: Int32, onChange: @escaping @Sendable () -> Void
    ) throws(AtriumError) {
        let wake = try WakeSignal(for: folder)
        try DetachedThread.run {
            var watcher = FolderWatcher(folder, isTold: isTold, wake: wake, interval: interval) { _, hasCome in
                !hasCome
            }
            watcher.run(onChange)
        }
        self.wake = wake
    }

    deinit { wake.signal() }
}
