internal import FoundationEssentials
public import PluginCore
public import PluginRouter

/// Where requests wait that could not be served yet: `deferred.json` among the host's own files, so that they survive the
/// process.
///
/// Every change is read, made and written in one step, which keeps other processes out and is there whole or not at all. What
/// was read and is not what a host keeps there costs the requests in it and nothing else: it is told, and set aside for whoever
/// wants to look. What cannot be read just now costs nothing: it stays.
public struct DeferredFile: DeferredStore {
    private struct Document: Codable {
        var formatVersion: Int
        var queue: DeferredQueue
    }

    /// What all formats have.
    private struct Format: Decodable {
        var formatVersion: Int
    }

    /// The only `formatVersion` there is.
    public static let formatVersion = 1

    /// Larger files, in bytes, are none of ours.
    private static let sizeLimit = 1 << 20

    private let folder: FilePath
    private let report: @Sendable (AtriumError) -> Void

    /// The file of a sandbox; nothing is made before something is kept.
    ///
    /// - Parameter report: hears of a file that was set aside.
    public init(_ sandbox: Sandbox, report: @escaping @Sendable (AtriumError) -> Void) {
        folder = sandbox.hostData.appending("Library")
        self.report = report
    }

    private var path: FilePath { folder.appending("deferred.json") }

    /// What waits; nothing when there is no file, or when what there was has been set aside.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when it cannot be read or set aside,
    ///   `documentInvalid` when a newer host has written it, `sandboxBusy`.
    public func load() throws -> DeferredQueue {
        if let queue = try read() { return queue }
        // Another process may have done so meanwhile, and kept something in its place.
        return try FileSystem.whileLocked(folder) { try readAlone() }
    }

    /// Keeps the queue in place of what was there.
    ///
    /// - Throws: as ``change(_:)``.
    public func save(_ queue: DeferredQueue) throws {
        try change { $0 = queue }
    }

    /// Changes what waits, alone. When nothing is left, the file goes.
    ///
    /// - Throws: as ``load()``, and what `body` throws; the file is then as it was.
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

    /// What is in the file; `nil` when it is none that a host has written.
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

    /// The same for who keeps others out: what is no such file is set aside.
    private func readAlone() throws(AtriumError) -> DeferredQueue {
        if let queue = try read() { return queue }
        let aside = try freePath()
        try FileSystem.rename(path, to: aside)
        report(
            AtriumError(
                .documentInvalid, path.string,
                detail:
                    "it is not what a host keeps there; it is now \(aside.lastComponent), and what waited in it is lost"
            ))
        return DeferredQueue()
    }

    /// Where nothing was set aside before.
    private func freePath() throws(AtriumError) -> FilePath {
        let first = FilePath(path.string + ".unreadable")
        var (free, number) = (first, 1)
        while try FileSystem.item(at: free) != nil {
            number += 1
            free = FilePath("\(first).\(number)")
        }
        return free
    }

    private func write(_ queue: DeferredQueue) throws {
        guard !queue.requests.isEmpty else { return try FileSystem.remove(path) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let document = Document(formatVersion: Self.formatVersion, queue: queue)
        try FileSystem.replace(path, with: [UInt8](try encoder.encode(document)))
    }
}
