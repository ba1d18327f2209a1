internal import FoundationEssentials
public import PluginCore
public import PluginRouter

/// Where requests wait that could not be served yet: `deferred.json` among the host's own files, so that they survive the
/// process.
///
/// Every change is read, made and written in one step, which keeps other processes out and is there whole or not at all. A
/// file that can not be read costs the requests in it and nothing else: it is told, and set aside for whoever wants to look.
public struct DeferredFile: DeferredStore {
    private struct Document: Codable {
        var formatVersion: Int
        var queue: DeferredQueue
    }

    /// The only `formatVersion` there is.
    public static let formatVersion = 1

    /// Larger files, in bytes, are none of ours.
    private static let sizeLimit = 1 << 20

    private let folder: FilePath
    private let report: @Sendable (AtriumError) -> Void

    /// The file of a sandbox; nothing is made before something is kept.
    ///
    /// - Parameter report: hears of a file that could not be read.
    public init(_ sandbox: Sandbox, report: @escaping @Sendable (AtriumError) -> Void) {
        folder = sandbox.hostData.appending("Library")
        self.report = report
    }

    private var path: FilePath { folder.appending("deferred.json") }

    /// What waits; nothing when there is no file, or none that can be read.
    public func load() -> DeferredQueue {
        guard FileSystem.item(at: path) != nil else { return DeferredQueue() }
        do {
            return try read()
        } catch {
            setAside(error)
            return DeferredQueue()
        }
    }

    /// Keeps the queue in place of what was there.
    ///
    /// - Throws: as ``change(_:)``.
    public func save(_ queue: DeferredQueue) throws {
        try change { $0 = queue }
    }

    /// Changes what waits, alone. When nothing is left, the file goes.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnwritable`, `inputOutput` or `sandboxBusy`, and what `body` throws; the
    ///   file is then as it was.
    public func change<R>(_ body: (inout DeferredQueue) throws -> R) throws -> R {
        let made = try FileSystem.makeFolders(folder)
        defer { FileSystem.removeIfEmpty(made) }
        return try FileSystem.whileLocked(folder) {
            let before = load()
            var after = before
            let result = try body(&after)
            if after != before { try write(after) }
            return result
        }
    }

    private func read() throws(AtriumError) -> DeferredQueue {
        let bytes = try FileSystem.bytes(of: path, limit: Self.sizeLimit)
        guard let document = try? JSONDecoder().decode(Document.self, from: Data(bytes)),
            document.formatVersion == Self.formatVersion
        else {
            throw AtriumError(.documentInvalid, path.string, detail: "it is not what a host keeps there")
        }
        return document.queue
    }

    private func write(_ queue: DeferredQueue) throws {
        guard !queue.requests.isEmpty else { return try FileSystem.remove(path) }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let document = Document(formatVersion: Self.formatVersion, queue: queue)
        try FileSystem.replace(path, with: [UInt8](try encoder.encode(document)))
    }

    private func setAside(_ error: AtriumError) {
        let aside = FilePath(path.string + ".unreadable")
        // One is kept; on a medium that can not be written it stays where it is.
        try? FileSystem.remove(aside)
        let isAside = (try? FileSystem.rename(path, to: aside)) != nil
        let remark = isAside ? "; it is now \(aside.lastComponent), and what waited in it is lost" : ""
        report(AtriumError(error.code, error.subject, detail: error.detail + remark))
    }
}
