internal import FoundationEssentials
internal import PluginCore
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The throwaway folders that are there now. Those that are left when the process ends go with it: a fake that answers
/// with the plugin it is passed to is a cycle, and keeps its container for good.
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
