internal import FoundationEssentials
internal import PluginCore
internal import Synchronization

internal import Glibc

/// The temporary folders that still exist, which are removed at the latest when the process exits.
///
/// This is needed because a fake whose closure refers to its plugin forms a retain cycle, so its container is never released.
enum Leftovers {
    private static let folders = Mutex<Set<FilePath>>([])
    private static let sweeping: Int32 = atexit {
        for folder in Leftovers.folders.withLock({ $0 }) { Leftovers.remove(folder) }
    }

    static func add(_ folder: FilePath) {
        _ = sweeping
        _ = folders.withLock { $0.insert(folder) }
    }

    static func remove(_ folder: FilePath) {
        _ = folders.withLock { $0.remove(folder) }
        try? FileManager.default.removeItem(atPath: folder.string)
    }
}
