internal import FoundationEssentials
import HostSystem
public import PluginCore

/// The defaults of a bundle: a file in its container, which all of its versions and all processes share.
///
/// Every change replaces the file atomically and excludes other processes, so readers need no lock. A damaged file is reported and renamed;
/// only its values are lost. See Documentation/Decisions/0147-defaults-are-one-file.md.
///
/// ```swift
/// let defaults = DefaultsFile(in: BundleContainer(root: try sandbox.container(of: identifier))) { log("\($0)") }
/// ```
public struct DefaultsFile: DefaultsStore {
    private struct Document: Codable {
        var formatVersion: Int
        var values: [String: String]
    }

    /// The part that all format versions share.
    private struct Format: Decodable {
        var formatVersion: Int
    }

    /// The only supported format version.
    public static let formatVersion = 1

    /// The maximum size of the file in bytes, which is also the limit of `UserDefaults` on tvOS.
    public static let sizeLimit = 1 << 20

    private let folder: FilePath
    private let report: @Sendable (AtriumError) -> Void

    /// Creates the store of a container; its file is created when a value is set.
    ///
    /// - Parameter report: called for a damaged file that was renamed.
    public init(in container: BundleContainer, report: @escaping @Sendable (AtriumError) -> Void) {
        folder = container.root.appending("Library")
        self.report = report
    }

    private var path: FilePath { folder.appending("defaults.json") }

    /// Returns all values.
    ///
    /// - Throws: ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when the file can't be read or renamed,
    ///   `documentInvalid` when a newer host has written it, `sandboxBusy`.
    public func values() throws -> DefaultsValues {
        if let values = try read() { return values }
        // Another process may have renamed it meanwhile, and written a new one.
        return try FileSystem.whileLocked(folder) { try readLocked() }
    }

    /// Changes values exclusively, and doesn't write the file if none has changed.
    ///
    /// - Throws: as ``values()``; ``AtriumError`` with code `defaultsFull` or `inputOutput`, and the errors of `body`. The file is unchanged
    ///   then.
    public func change(_ body: (inout DefaultsValues) throws -> Void) throws {
        try FileSystem.whileLocked(folder) {
            let before = try readLocked()
            var after = before
            try body(&after)
            if after != before { try write(after) }
        }
    }

    /// Reads the file.
    ///
    /// - Returns: `nil` when it is damaged.
    private func read() throws(AtriumError) -> DefaultsValues? {
        let bytes: [UInt8]
        switch try FileSystem.contents(of: path, limit: Self.sizeLimit) {
        case .nothing: return DefaultsValues()
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
        return (try? StrictJSON.decode(Document.self, from: bytes)).map { DefaultsValues(texts: $0.values) }
    }

    /// Reads the file while other processes are excluded, and renames a damaged one.
    private func readLocked() throws(AtriumError) -> DefaultsValues {
        if let values = try read() { return values }
        let aside = try FileSystem.setAside(path)
        report(
            AtriumError(
                .documentInvalid, path.string,
                detail: "it is damaged, so the plugin's settings are lost; it was moved to \(aside.lastComponent)"))
        return DefaultsValues()
    }

    private func write(_ values: DefaultsValues) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let bytes = [UInt8](try encoder.encode(Document(formatVersion: Self.formatVersion, values: values.texts)))
        guard bytes.count <= Self.sizeLimit else {
            throw AtriumError(
                .defaultsFull, path.string, detail: "\(bytes.count) bytes, and at most \(Self.sizeLimit) are stored")
        }
        try FileSystem.replace(path, with: bytes)
    }
}

extension DefaultsFile: CustomReflectable {
    /// An empty mirror, because plugins have the store, and its closure belongs to the host.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
