package import HostSystem
package import PluginCore

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

/// The folders of a sandbox that this process uses: those of versions, which nobody removes meanwhile, and of plugins' data, whose data version
/// stays.
package struct UsedFolders: Sendable {
    private let sandbox: Sandbox
    private let folders = SharedFolders()

    package init(_ sandbox: Sandbox) {
        self.sandbox = sandbox
    }

    /// Uses the folder of a version.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable` when its folder is missing, `sandboxBusy` when another process
    ///   has locked it to remove or replace it, `inputOutput` or `sandboxUnwritable` when that can't be determined.
    package func version(_ bundle: PluginBundle) throws(AtriumError) -> UsedFolder {
        let path = sandbox.folder(of: bundle)
        if let folder = try folders.use(path) { return folder }
        guard try FileSystem.isFolder(path) else {
            throw AtriumError(.bundleUnavailable, bundle.identity, reason: "folderGoneNow")
        }
        throw AtriumError(.sandboxBusy, sandbox.root, reason: "pathLocked", ["path": "\(path)"])
    }

    /// Uses the data of a version that is about to run, unless it must be made ready first. Never waits.
    ///
    /// - Returns: `nil` if the data must be made ready, a process uses another data version of the plugin, or changes the data version.
    /// - Throws: ``AtriumError`` with code `inputOutput`, or `sandboxUnwritable` if this user may not open the data.
    package func data(of bundle: PluginBundle) throws(AtriumError) -> DataUse? {
        let (data, number) = (DataFolders(of: bundle.identifier, in: sandbox), bundle.dataVersion)
        guard let folder = try folders.use(data.root), try data.isReady(number) else { return nil }
        return DataUse(data.container(number), folder)
    }
}

/// A use of a plugin's data, which ends with the last copy.
package struct DataUse: Sendable {
    /// The folders of the data.
    package let container: BundleContainer
    private let folder: UsedFolder?

    /// Creates a use.
    ///
    /// - Parameter folder: The folder of all data of the plugin; nil for data that this user can't change.
    package init(_ container: BundleContainer, _ folder: UsedFolder?) {
        self.container = container
        self.folder = folder
    }
}
