public import Registry
import HostSystem
internal import FoundationEssentials
public import PluginCore
public import PluginRouter

/// The store of deferred requests: a file among the host's own data, which survives the process.
///
/// Every change is atomic and excludes other processes. An invalid file is reported and renamed, and only its requests are
/// lost. A file that is temporarily unreadable stays.
public struct DeferredFile: DeferredStore {
    private struct Document: Codable {
        var formatVersion: Int
        var queue: DeferredQueue
    }

    /// The part that all format versions share.
    private struct Format: Decodable {
        var formatVersion: Int
    }

    /// The only supported format version.
    public static let formatVersion = 1

    /// The maximum size of the file, in bytes.
    private static let sizeLimit = 1 << 20

    private let folder: FilePath
    private let report: @Sendable (AtriumError) -> Void

    /// Creates the store of a sandbox; its file is created when a request is stored.
    ///
    /// - Parameter report: called for an invalid file that was renamed.
    public init(_ sandbox: Sandbox, report: @escaping @Sendable (AtriumError) -> Void) {
        folder = sandbox.hostData.appending("Library")
        self.report = report
    }

    private var path: FilePath { folder.appending("deferred.json") }

    /// Returns the deferred requests; none when there is no file, or it was invalid and has been renamed.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when it can't be read or renamed,
    ///   `documentInvalid` when a newer host has written it, `sandboxBusy`.
    public func load() throws -> DeferredQueue {
        if let queue = try read() { return queue }
        // Another process may have renamed it meanwhile, and written a new one.
        return try FileSystem.whileLocked(folder) { try readAlone() }
    }

    /// Replaces the stored queue.
    ///
    /// - Throws: as ``change(_:)``.
    public func save(_ queue: DeferredQueue) throws {
        try change { $0 = queue }
    }

    /// Changes the stored queue exclusively, and removes the file when the queue is empty.
    ///
    /// - Throws: as ``load()``, and the errors of `body`; the file is unchanged then.
    public func change<R>(_ body: (inout DeferredQueue) throws -> R) throws -> R {
        let made = try FileSystem.makeFolders(folder)
        defer { FileSystem.removeIfEmpty(made) }
        return try FileSystem.whileLocked(folder) {
            let before = try readAlone()
            var after = before
            let result = try body(&after)
            if after != before { try write(after) }
            return result
        }
    }

    /// Reads the file.
    ///
    /// - Returns: `nil` when it isn't valid.
    private func read() throws(AtriumError) -> DeferredQueue? {
        let bytes: [UInt8]
        switch try FileSystem.contents(of: path, limit: Self.sizeLimit) {
        case .nothing: return DeferredQueue()
        case .other: return nil
        case .file(let content, _): bytes = content
        }
        let format = try? StrictJSON.decode(Format.self, from: bytes).formatVersion
        if let format, format > Self.formatVersion {
            throw AtriumError(
                .documentInvalid, path.string, detail: "its formatVersion \(format) is not known; it needs a newer host"
            )
        }
        guard format == Self.formatVersion else { return nil }
        return (try? StrictJSON.decode(Document.self, from: bytes))?.queue
    }

    /// Reads the file while other processes are excluded, and renames an invalid one.
    private func readAlone() throws(AtriumError) -> DeferredQueue {
        if let queue = try read() { return queue }
        let aside = try FileSystem.setAside(path)
        report(
            AtriumError(
                .documentInvalid, path.string,
                detail:
                    "it is malformed; it was moved to \(aside.lastComponent), and its addresses are lost"
            ))
        return DeferredQueue()
    }

    private func write(_ queue: DeferredQueue) throws {
        guard !queue.requests.isEmpty else { return try FileSystem.remove(path) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let document = Document(formatVersion: Self.formatVersion, queue: queue)
        try FileSystem.replace(path, with: [UInt8](try encoder.encode(document)))
    }
}
