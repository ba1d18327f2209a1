package import HostSystem
package import PluginCore
import Synchronization

/// The uses of plugins' data by this process, each of which keeps every process from using another data version of the plugin.
///
/// Each is a shared `flock` on the folder of the plugin's data. A process that changes the data version locks the folder exclusively.
package final class DataLocks: Sendable {
    /// The result of an attempt to use data.
    package enum Attempt {
        /// It can be used until the last reference to the use is released.
        case ready(DataUse)
        /// It must be made ready first.
        case unprepared
        /// This process uses another data version of the plugin, or another process changes the data version.
        case busy
    }

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
    /// - Throws: ``AtriumError`` with code `inputOutput`, or `sandboxUnwritable` if this user may not open the data.
    package func attempt(_ bundle: PluginBundle) throws(AtriumError) -> Attempt {
        let (identifier, number) = (bundle.identity.identifier, bundle.dataVersion)
        let folders = DataFolders(of: identifier, in: sandbox)
        return try uses.withLock { uses throws(AtriumError) in
            // Data that was deleted meanwhile is another folder.
            if let use = uses[identifier]?.use, try use.lock?.isStill(at: folders.root) == true {
                return use.number == number ? .ready(use) : .busy
            }
            switch try FolderLock.attempt(folders.root, .shared) {
            case .busy: return .busy
            case .gone: return .unprepared
            case .taken(let lock):
                let use = DataUse(number, in: folders, lock)
                guard try folders.isReady(number) else { return .unprepared }
                uses[identifier] = Reference(use: use)
                return .ready(use)
            }
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
