import FoundationEssentials
package import HostSystem
package import PluginCore

/// The content of a ``VersionedFile``.
package protocol VersionedDocument: Codable, Equatable, Sendable {
    /// The only supported format version.
    static var supportedVersion: Int { get }
    /// The format version in the file.
    var formatVersion: Int { get }

    /// Creates the content of a file that doesn't exist.
    init()
}

/// A JSON file with a format version, which several processes read and change as a whole.
///
/// Every change replaces the file atomically and excludes other processes, so readers need no lock. A damaged file is reported and renamed;
/// only its content is lost. A file that is temporarily unreadable stays.
///
/// ```swift
/// let file = VersionedFile<Settings>(folder.appending("settings.json"), losing: "settingsLost") { log("\($0)") }
/// try file.change { $0.count += 1 }
/// ```
package struct VersionedFile<Document: VersionedDocument>: Sendable {
    package let path: FilePath
    /// The maximum size of the file, in bytes.
    private let sizeLimit: Int
    private let lock: FilePath?
    private let full: AtriumError.Code
    private let loss: String
    private let report: @Sendable (AtriumError) -> Void

    /// Creates the access to a file, which is created with the first change.
    ///
    /// - Parameters:
    ///   - path: the file, in a folder that must exist when the file is changed.
    ///   - lock: the file that is locked meanwhile, which needs no rights but those in its folder; `nil` to lock the file's folder.
    ///   - full: the code of the error for a change that would exceed the size limit.
    ///   - loss: the name of the reason in the report about a damaged file.
    ///   - report: called for a damaged file that was renamed.
    package init(
        _ path: FilePath, sizeLimit: Int, lockedBy lock: FilePath? = nil, full: AtriumError.Code, losing loss: String,
        report: @escaping @Sendable (AtriumError) -> Void
    ) {
        self.path = path
        self.sizeLimit = sizeLimit
        self.lock = lock
        self.full = full
        self.loss = loss
        self.report = report
    }

    /// Returns the content; the empty content when there is no file, or it was damaged and has been renamed.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when it can't be read or renamed, `documentInvalid` when a
    ///   newer host has written it, `sandboxBusy`.
    package func load() throws -> Document {
        if let document = try read() { return document }
        // Another process may have renamed it meanwhile, and written a new one.
        return try whileLocked { try readLocked() }
    }

    /// Changes the content exclusively; doesn't write unchanged content.
    ///
    /// - Throws: as ``load()``, an error with the code for a full file, and the errors of `body`. The file is unchanged then.
    package func change<R>(_ body: (inout Document) throws -> R) throws -> R {
        try whileLocked {
            let before = try readLocked()
            var after = before
            let result = try body(&after)
            if after == before { return result }
            try write(after)
            return result
        }
    }

    private func whileLocked<R>(_ body: () throws -> R) throws -> R {
        guard let lock else { return try FileSystem.whileLocked(path.parent, body) }
        guard let folder = try OpenFolder.open(lock.parent) else {
            throw FileSystem.failure(reason: "openingFailed", lock.parent)
        }
        return try folder.whileLocked(by: EntryName(lock.lastComponent), body)
    }

    /// The part that all format versions share.
    private struct Format: Decodable {
        var formatVersion: Int
    }

    /// Reads the file.
    ///
    /// - Returns: `nil` when it is damaged.
    private func read() throws(AtriumError) -> Document? {
        let bytes: [UInt8]
        switch try FileSystem.contents(of: path, limit: sizeLimit) {
        case .nothing: return Document()
        case .other: return nil
        case .file(let content, _): bytes = content
        }
        let format = try? StrictJSON.decode(Format.self, from: bytes).formatVersion
        if let format, format > Document.supportedVersion {
            throw AtriumError(
                .documentInvalid, path, reason: "formatUnknown",
                ["format": .integer(format)]
            )
        }
        guard format == Document.supportedVersion else { return nil }
        return try? StrictJSON.decode(Document.self, from: bytes)
    }

    /// Reads the file while other processes are excluded, and renames a damaged one.
    private func readLocked() throws(AtriumError) -> Document {
        if let document = try read() { return document }
        let aside = try setAside()
        report(
            AtriumError(
                .documentInvalid, path,
                reason: loss, ["file": .text(aside.lastComponent)]))
        return Document()
    }

    /// Renames a damaged file to an unused name beside it, so that it is kept and a new one can be written; returns the new path.
    private func setAside() throws(AtriumError) -> FilePath {
        let first = FilePath(path.string + ".unreadable")
        var (free, number) = (first, 1)
        while try FileSystem.item(at: free) != nil {
            number += 1
            free = FilePath("\(first).\(number)")
        }
        try FileSystem.rename(path, to: free)
        return free
    }

    private func write(_ document: Document) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let bytes = [UInt8](try encoder.encode(document))
        guard bytes.count <= sizeLimit else {
            throw AtriumError(
                full, path.string, reason: "fileFull",
                ["size": .integer(bytes.count), "limit": .integer(sizeLimit)])
        }
        try FileSystem.replace(path, with: bytes)
    }
}

extension OpenFolder {
    /// Runs a closure while holding the lock of a file in this folder, which exists only meanwhile.
    ///
    /// The lock excludes other processes and other callers in this one, and the kernel releases it when the process ends. Unlike `flock`, it
    /// needs the right to write the file, so a confined process cannot lock what it may only read.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy` when the lock isn't free within two seconds, `sandboxUnwritable` or `inputOutput`, and
    ///   any error of `body`.
    package func whileLocked<R>(by name: EntryName, _ body: () throws -> R) throws -> R {
        let file = try FileSystem.wait(for: path) { () throws(AtriumError) in try lockedFile(name) }
        defer { unlock(file, as: name) }
        return try body()
    }
}
