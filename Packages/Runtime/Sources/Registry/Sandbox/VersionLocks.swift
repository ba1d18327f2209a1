package import HostSystem
package import PluginCore
import Synchronization

/// Locks that keep the versions used by this process from being removed by any process.
///
/// Each is a shared `flock` on a version's folder. Removing the folder takes an exclusive lock, see ``removal(of:)``, which the
/// kernel denies as long as a living process shares it. A child made by fork doesn't inherit the locks.
package final class VersionLocks: Sendable {
    private let sandbox: Sandbox
    private let folders = Mutex<[PluginBundle: FolderLock]>([:])

    package init(_ sandbox: Sandbox) {
        self.sandbox = sandbox
    }

    /// Locks a version until it is released; repeated calls lock it once.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable` when its folder is missing, `sandboxBusy` when another process
    ///   has locked it to remove or replace it, `inputOutput` or `sandboxUnwritable` when that can't be determined.
    package func lockVersion(_ bundle: PluginBundle) throws(AtriumError) {
        try folders.withLock { folders throws(AtriumError) in
            let path = sandbox.folder(of: bundle)
            // Another host may have removed or replaced the folder without respecting the lock.
            if let folder = folders[bundle], try folder.isStill(at: path) { return }
            switch try FolderLock.attempt(path, .shared) {
            case .taken(let folder):
                if let gone = folders.updateValue(folder, forKey: bundle) { gone.release() }
            case .gone:
                throw AtriumError(
                    .bundleUnavailable, bundle.identity.description, reason: "folderGoneNow")
            case .busy:
                throw AtriumError(
                    .sandboxBusy, sandbox.root.string, reason: "pathLocked", ["path": "\(path)"])
            }
        }
    }

    /// Unlocks a version that this process doesn't use any longer.
    package func release(_ bundle: PluginBundle) {
        if let folder = folders.withLock({ $0.removeValue(forKey: bundle) }) { folder.release() }
    }

    /// Unlocks all versions, at the end of a session.
    package func releaseAll() {
        let held = folders.withLock { folders in
            defer { folders = [:] }
            return folders.values.map { $0 }
        }
        for folder in held { folder.release() }
    }

    /// Locks a folder that nobody uses, for the caller to remove before it releases the lock; `nil` while somebody does, or when
    /// it has gone.
    ///
    /// - Returns: a descriptor; `nil` when the folder is in use or missing.
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when that can't be determined.
    package static func removal(of folder: FilePath) throws(AtriumError) -> FolderLock? {
        if case .taken(let lock) = try FolderLock.attempt(folder, .exclusive) { lock } else { nil }
    }
}
