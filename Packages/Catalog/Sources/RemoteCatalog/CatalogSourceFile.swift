internal import FoundationEssentials
import HostSystem
public import PluginCore

/// The file with the sources of a sandbox, in their order of precedence.
///
/// ```json
/// {
///   "formatVersion": 1,
///   "sources": [{ "name": "company", "address": "https://plugins.example.org", "prefixes": ["org.example"] }]
/// }
/// ```
public struct CatalogSourceFile: Sendable {
    private struct Content: Codable {
        var formatVersion = 1
        var sources: [CatalogSource] = []
    }

    private static let limit = 1 << 20
    private let path: FilePath

    /// Creates a reference to the file, which need not exist.
    ///
    /// - Parameter catalogs: The folder of the local states of all catalogs.
    public init(catalogs: FilePath) {
        path = catalogs.appending("sources.json")
    }

    /// Returns the sources; none if there is no file.
    ///
    /// - Throws: ``AtriumError`` with code `sourcesInvalid`, or `inputOutput`.
    public func read() throws(AtriumError) -> [CatalogSource] {
        switch try FileSystem.contents(of: path, limit: Self.limit) {
        case .nothing: return []
        case .other: throw AtriumError(.sourcesInvalid, path.string, reason: "notRegularFile")
        case .file(let bytes, _):
            do {
                let content = try StrictJSON.decode(Content.self, from: bytes)
                if content.formatVersion == 1 { return content.sources }
            } catch {
                // Reported below, as any other content that is not such a list.
            }
            throw AtriumError(.sourcesInvalid, path.string, reason: "notSources")
        }
    }

    /// Changes the sources. Other processes and callers wait until the change is written.
    ///
    /// - Throws: The errors of ``read()`` and of the closure, after which nothing is changed; ``AtriumError`` with code `sandboxBusy`,
    ///   `sandboxUnwritable` or `inputOutput`.
    public func change<Result>(_ body: (inout [CatalogSource]) throws -> Result) throws -> Result {
        _ = try FileSystem.makeFolders(path.parent)
        return try FileSystem.whileLocked(path.parent) {
            var sources = try read()
            let result = try body(&sources)
            try write(sources)
            return result
        }
    }

    private func write(_ sources: [CatalogSource]) throws(AtriumError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        // Encoding cannot fail: the fields are texts.
        let bytes = (try? encoder.encode(Content(sources: sources))).map(Array.init) ?? []
        try FileSystem.replace(path, with: bytes + [UInt8(ascii: "\n")])
    }
}
