import BundleFormat
import CatalogFormat
import FoundationEssentials
import HostSystem
public import PluginCore

/// A published catalog from which a sandbox gets packages.
public struct CatalogSource: Hashable, Sendable {
    /// The name that a user has given to the source.
    public let name: String
    /// The place of the catalog.
    public let address: CatalogAddress
    /// The beginnings of the identifiers to which the source is limited, in whole labels; empty for no limit.
    public var prefixes: [String]
    /// The release channels whose packages are offered.
    public var channels: [String]
    /// Other web servers with the same files, which are used while the ones before cannot be reached.
    public var mirrors: [CatalogAddress] = []
    /// The absolute path of a file with certificate authorities in place of the system's; `nil` for the system's.
    public var authorities: FilePath?

    /// Creates a source.
    public init(name: String, address: CatalogAddress, prefixes: [String] = [], channels: [String] = ["stable"]) {
        self.name = name
        self.address = address
        self.prefixes = prefixes
        self.channels = channels
    }
}

extension CatalogSource {
    /// The fields whose values have a form.
    public enum Field: Sendable {
        /// The address of the catalog.
        case address
        /// A prefix of identifiers that the catalog may provide.
        case prefix
        /// A channel from which versions are offered.
        case channel
        /// The address of another server with the same files.
        case mirror
        /// The file with the certificate authorities of the servers.
        case authorities
    }

    /// The first value that does not have the form of its field; `nil` for a valid source.
    ///
    /// A prefix that no identifier can have would protect nothing.
    public var invalidValue: (value: String, field: Field)? {
        if CatalogAddress(address.text) != address { return (address.description, .address) }
        for prefix in prefixes where !BundleIdentifier.isValid(prefix) && !BundleIdentifier.isValid("\(prefix).x") {
            return (prefix, .prefix)
        }
        for channel in channels where !CatalogEntry.isChannel(channel) { return (channel, .channel) }
        for mirror in mirrors
        where !address.isWeb || !mirror.isWeb || CatalogAddress(mirror.text) != mirror {
            return (mirror.description, .mirror)
        }
        if let authorities, !authorities.string.hasPrefix("/") { return (authorities.string, .authorities) }
        return nil
    }
}

extension CatalogSource: Codable {
    /// The source in its file, where values that most sources have are left out.
    private struct Content: Codable {
        let name: String
        let address: CatalogAddress
        let prefixes: [String]?
        let channels: [String]?
        let mirrors: [CatalogAddress]?
        let authorities: String?
    }

    /// Decodes a source.
    public init(from decoder: any Decoder) throws {
        let content = try Content(from: decoder)
        self.init(
            name: content.name, address: content.address, prefixes: content.prefixes ?? [],
            channels: content.channels ?? ["stable"])
        mirrors = content.mirrors ?? []
        authorities = content.authorities.map { FilePath($0) }
        if let (value, _) = invalidValue {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: value))
        }
    }

    /// Encodes the source.
    public func encode(to encoder: any Encoder) throws {
        try Content(
            name: name, address: address, prefixes: prefixes.isEmpty ? nil : prefixes,
            channels: channels == ["stable"] ? nil : channels, mirrors: mirrors.isEmpty ? nil : mirrors,
            authorities: authorities?.string
        ).encode(to: encoder)
    }
}

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
    public init(catalogs: FilePath) { self.init(catalogs.appending("sources.json")) }

    /// Creates a reference to a file in the same format that ships with a host, beside the pinned root of each catalog.
    public init(_ path: FilePath) { self.path = path }

    /// Returns the file with the pinned root of a catalog that ships with a host.
    public func root(of source: CatalogSource) -> FilePath { path.parent.appending("\(source.name).root.json") }

    /// Returns the sources; none if there is no file.
    ///
    /// - Throws: ``AtriumError`` with code `sourcesInvalid`, or `inputOutput`.
    public func read() throws(AtriumError) -> [CatalogSource] {
        switch try FileSystem.contents(of: path, limit: Self.limit) {
        case .nothing: return []
        case .other: throw AtriumError(.sourcesInvalid, path, reason: "notRegularFile")
        case .file(let bytes, _):
            do {
                let content = try StrictJSON.decode(Content.self, from: bytes)
                if content.formatVersion == 1 { return content.sources }
            } catch {
                // Reported below, as any other content that is not such a list.
            }
            throw AtriumError(.sourcesInvalid, path, reason: "notSources")
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
