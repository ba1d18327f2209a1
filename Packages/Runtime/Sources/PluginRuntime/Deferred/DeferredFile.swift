public import Registry
import HostSystem
public import PluginCore
public import PluginRouter

/// The store of deferred requests: a file among the host's own data, which survives the process.
///
/// Every change is atomic and excludes other processes. A damaged file is reported and renamed, and only its requests are
/// lost. A file that is temporarily unreadable stays.
public struct DeferredFile: DeferredStore {
    private struct Document: VersionedDocument {
        static let supportedVersion = DeferredFile.formatVersion
        var formatVersion = supportedVersion
        var queue = DeferredQueue()
    }

    /// The only supported format version.
    public static let formatVersion = 1

    private let folder: FilePath
    private let report: @Sendable (AtriumError) -> Void

    /// Creates the store of a sandbox; its file is created when a request is stored.
    ///
    /// - Parameter report: called for a damaged file that was renamed.
    public init(_ sandbox: Sandbox, report: @escaping @Sendable (AtriumError) -> Void) {
        folder = sandbox.hostData.appending("Library")
        self.report = report
    }

    private var file: VersionedFile<Document> {
        VersionedFile(
            folder.appending("deferred.json"), sizeLimit: 1 << 20, full: .deferredFull,
            losing: "addressesLost",
            report: report)
    }

    /// Returns the deferred requests; none when there is no file, or it was damaged and has been renamed.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when it can't be read or renamed,
    ///   `documentInvalid` when a newer host has written it, `sandboxBusy`.
    public func load() throws -> DeferredQueue { try file.load().queue }

    /// Replaces the stored queue.
    ///
    /// - Throws: as ``change(_:)``.
    public func save(_ queue: DeferredQueue) throws {
        try change { $0 = queue }
    }

    /// Changes the stored queue exclusively, and removes the file when the queue is empty.
    ///
    /// - Throws: as ``load()``, ``AtriumError`` with code `deferredFull`, and the errors of `body`; the file is unchanged then.
    public func change<R>(_ body: (inout DeferredQueue) throws -> R) throws -> R {
        let made = try FileSystem.makeFolders(folder, isPrivate: true)
        defer { FileSystem.removeIfEmpty(made) }
        return try file.change(removingFileIf: \.queue.requests.isEmpty) { try body(&$0.queue) }
    }
}
