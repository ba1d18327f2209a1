internal import FoundationEssentials
import HostSystem
public import PluginCore

/// The file of a lock.
extension AppLock {
    private static let limit = 1 << 24
    private static let formatVersion = 1

    private struct Content: Codable {
        struct App: Codable {
            var digest: String
            var name: String
            var version: String?
        }

        struct Bundle: Codable {
            var digest: String
            var identifier: String
            var length: Int64
            var version: String
        }

        var app: App
        var bundles: [Bundle]
        var formatVersion: Int
    }

    /// Reads a lock.
    ///
    /// - Returns: `nil` if there is no file.
    /// - Throws: ``AtriumError`` with code `lockInvalid`, or `inputOutput`.
    public static func read(_ path: FilePath) throws(AtriumError) -> AppLock? {
        let bytes: [UInt8]
        switch try FileSystem.contents(of: path, limit: limit) {
        case .nothing: return nil
        case .other: throw AtriumError(.lockInvalid, path.string, reason: "notRegularFile")
        case .file(let content, _): bytes = content
        }
        let content: Content
        do {
            content = try StrictJSON.decode(Content.self, from: bytes)
        } catch {
            throw AtriumError(.lockInvalid, path.string, reason: .verbatim(StrictJSON.finding(error)))
        }
        guard content.formatVersion == formatVersion else {
            throw AtriumError(.lockInvalid, path.string, reason: "fileTooNew", ["expected": .integer(formatVersion)])
        }
        guard let lock = AppLock(content) else { throw AtriumError(.lockInvalid, path.string, reason: "notLock") }
        return lock
    }

    /// Creates a lock from a decoded file; `nil` if a value is invalid or an identifier occurs twice.
    private init?(_ content: Content) {
        let version = content.app.version.map { SemanticVersion($0) }
        var seen: Set<BundleIdentifier> = []
        let bundles = content.bundles.compactMap { bundle -> Bundle? in
            guard let identifier = BundleIdentifier(bundle.identifier), let version = SemanticVersion(bundle.version),
                Self.isDigest(bundle.digest), bundle.length >= 0, seen.insert(identifier).inserted
            else { return nil }
            return Bundle(
                identity: BundleIdentity(identifier: identifier, version: version), digest: bundle.digest,
                length: bundle.length)
        }
        guard version != .some(nil), Self.isDigest(content.app.digest), bundles.count == content.bundles.count else {
            return nil
        }
        self.init(
            app: App(name: content.app.name, version: version ?? nil, digest: content.app.digest), bundles: bundles)
    }

    private static func isDigest(_ text: String) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
    }

    /// The content of the file, the same for equal locks.
    package var encoded: [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let content = Content(
            app: .init(digest: app.digest, name: app.name, version: app.version?.description),
            bundles: bundles.map {
                .init(
                    digest: $0.digest, identifier: $0.identity.identifier.text, length: $0.length,
                    version: $0.identity.version.description)
            }, formatVersion: Self.formatVersion)
        // Encoding cannot fail: the fields are texts and integers.
        return ((try? encoder.encode(content)).map(Array.init) ?? []) + [UInt8(ascii: "\n")]
    }

    /// Writes the lock: after any interruption, the file has either the old or the new content.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxUnwritable`, `storageFull` or `inputOutput`.
    public func write(to path: FilePath) throws(AtriumError) {
        _ = try FileSystem.makeFolders(path.parent)
        try FileSystem.replace(path, with: encoded, mode: 0o644)
    }
}
