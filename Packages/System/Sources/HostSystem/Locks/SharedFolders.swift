package import PluginCore
import Synchronization

/// The folders that this process uses, which nobody removes or changes meanwhile.
///
/// Each is locked by a shared `flock`. A process that removes or changes it takes an exclusive lock, which the kernel denies as long as a
/// living process shares it. A child made by fork doesn't inherit the locks.
package final class SharedFolders: Sendable {
    private struct Reference {
        weak var folder: UsedFolder?
    }

    private let folders = Mutex<[FilePath: Reference]>([:])

    package init() {}

    /// Uses a folder. Never waits.
    ///
    /// - Returns: `nil` when it is missing, or another process has locked it alone.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when that can't be determined.
    package func use(_ path: FilePath) throws(AtriumError) -> UsedFolder? {
        try folders.withLock { folders throws(AtriumError) in
            // Another host may have removed or replaced the folder without respecting the lock.
            if let folder = folders[path]?.folder, try folder.lock.isStill(at: path) { return folder }
            guard case .taken(let lock) = try FolderLock.attempt(path, .shared) else { return nil }
            let folder = UsedFolder(lock)
            folders[path] = Reference(folder: folder)
            return folder
        }
    }
}

/// A folder that this process uses until the last reference is released.
package final class UsedFolder: Sendable {
    fileprivate let lock: FolderLock

    fileprivate init(_ lock: FolderLock) {
        self.lock = lock
    }

    deinit { lock.release() }
}
