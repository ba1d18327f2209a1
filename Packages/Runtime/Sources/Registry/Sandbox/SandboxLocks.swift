package import HostSystem
package import PluginCore
import Synchronization

extension WriterLock {
    /// The lock of a sandbox.
    package convenience init(_ sandbox: Sandbox, patience: Duration = .seconds(2), command: String? = nil) {
        self.init(sandbox.lock, for: sandbox.root, patience: patience, command: command)
    }

    /// Returns a description of the process that has the lock; `nil` if none has.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnwritable` or `inputOutput` when the lock can't be examined.
    package static func owner(of sandbox: Sandbox) throws(AtriumError) -> String? { try owner(of: sandbox.lock) }
}

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

/// The uses of plugins' data by this process, each of which keeps every process from using another data version of the plugin.
///
/// Each is a shared `flock` on the folder of the plugin's data. A process that changes the data version locks the folder exclusively.
package final class DataLocks: Sendable {
    private struct Reference {
        weak var use: DataUse?
    }

    private let sandbox: Sandbox
    private let uses = Mutex<[BundleIdentifier: Reference]>([:])

    package init(_ sandbox: Sandbox) {
        self.sandbox = sandbox
    }

    /// Locks the data of a version that is about to run, unless it must be made ready first. Never waits.
    ///
    /// - Returns: the use, which lasts until the last reference to it is released; `nil` if the data must be made ready, this process uses
    ///   another data version of the plugin, or another process changes the data version.
    /// - Throws: ``AtriumError`` with code `inputOutput`, or `sandboxUnwritable` if this user may not open the data.
    package func attempt(_ bundle: PluginBundle) throws(AtriumError) -> DataUse? {
        let (identifier, number) = (bundle.identity.identifier, bundle.dataVersion)
        let folders = DataFolders(of: identifier, in: sandbox)
        return try uses.withLock { uses throws(AtriumError) in
            // Data that was deleted meanwhile is another folder.
            if let use = uses[identifier]?.use, try use.lock?.isStill(at: folders.root) == true {
                return use.number == number ? use : nil
            }
            guard case .taken(let lock) = try FolderLock.attempt(folders.root, .shared) else { return nil }
            let use = DataUse(number, in: folders, lock)
            guard try folders.isReady(number) else { return nil }
            uses[identifier] = Reference(use: use)
            return use
        }
    }

    /// Locks the data of a plugin exclusively, unless any process uses it. Never waits.
    ///
    /// - Throws: as ``attempt(_:)``.
    package func exclusive(_ identifier: BundleIdentifier) throws(AtriumError) -> FolderLock.Attempt {
        try FolderLock.attempt(sandbox.dataFolder(of: identifier), .exclusive)
    }
}

/// A use of a plugin's data, which ends with the last reference to it.
package final class DataUse: Sendable {
    /// The folders of the data.
    package let container: BundleContainer
    fileprivate let number: Int
    fileprivate let lock: FolderLock?

    /// Creates a use.
    ///
    /// - Parameter lock: The shared lock, which is released at the end; nil for data that this user can't change.
    package init(_ number: Int, in folders: DataFolders, _ lock: FolderLock?) {
        container = folders.container(number)
        self.number = number
        self.lock = lock
    }

    deinit { lock?.release() }
}
