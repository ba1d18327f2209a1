import HTTPTransfer
import BundleFormat
public import PluginCore
import CatalogFormat
import HostSystem
public import PluginRuntime
import Registry
import TUFMetadata

/// The settings of a host for one catalog.
public struct RemoteCatalogSettings: Sendable {
    /// The place of the catalog.
    public let address: CatalogAddress
    /// The folder of the local states of all catalogs.
    public let catalogs: FilePath
    /// The folder for trusted metadata and downloaded packages of this catalog alone.
    public let folder: FilePath
    /// The release channels whose packages are offered.
    public var channels: Set<String> = ["stable"]
    /// Other web servers with the same files, which are used in this order while the ones before cannot be reached.
    public var mirrors: [CatalogAddress] = []
    /// A file with certificate authorities in PEM in place of the system's; `nil` for the system's.
    public var authorities: FilePath?
    /// A file with the root that is pinned before the first refresh if none is; `nil` for none.
    public var root: FilePath?
    /// The time for which fetched metadata is used without asking the server again, in seconds.
    public var maximumAge: Double = 600
    /// The name and the version of the program, for the server's log.
    public var userAgent = "atrium"
    /// A closure that is called when the server cannot be reached and the last trusted state is used.
    ///
    /// It gets the error and the time at which that state expires, in seconds since 1970.
    public var onFallback: @Sendable (AtriumError, Int) -> Void = { _, _ in }

    /// Creates settings.
    ///
    /// - Parameters:
    ///   - address: The place of the catalog.
    ///   - catalogs: The folder of the local states of all catalogs, such as that of the sandbox.
    /// - Throws: ``AtriumError`` if libcrypto cannot compute a digest.
    public init(address: CatalogAddress, catalogs: FilePath) throws(AtriumError) {
        self.address = address
        self.catalogs = catalogs
        // The address can contain characters that are invalid in a file name, so its digest is used.
        folder = catalogs.appending(String(try ContentDigest.of(Array(address.text.utf8)).prefix(16)))
    }
}

extension RemoteCatalogSettings {
    /// The largest file that is read.
    private static let limit = 8 << 20

    /// Returns the packages in the metadata of the last refresh.
    ///
    /// They are suggestions: nothing is fetched, verified or written, and revoked versions are among them.
    public func savedIdentities() -> [BundleIdentity] {
        let folder = folder.appending("metadata")
        let names = (try? FileSystem.names(in: folder)) ?? []
        var found: Set<BundleIdentity> = []
        for name in names where name.hasSuffix(".json") {
            guard case .file(let bytes, _) = try? FileSystem.contents(of: folder.appending(name), limit: Self.limit),
                let role = try? SignedMetadata<Targets>(bytes)
            else { continue }
            found.formUnion(role.content.paths.compactMap { CatalogPath.identity(ofPackage: $0) })
        }
        return found.sorted { ($0.identifier, $1.version) < ($1.identifier, $0.version) }
    }
}

extension PackageSource where Self == RemoteCatalog {
    /// Returns a published catalog for a host.
    ///
    /// - Parameters:
    ///   - address: the place of the catalog.
    ///   - root: the content of the catalog's root, which ships with the host. It is pinned at the first start.
    ///   - folder: the folder of the host, which gets trusted metadata and downloads.
    /// - Throws: ``AtriumError`` with code `catalogUntrusted` for an invalid root, or `inputOutput`.
    public static func catalog(
        _ address: CatalogAddress, root: [UInt8], in folder: FilePath
    ) throws(AtriumError) -> RemoteCatalog {
        let catalog = RemoteCatalog(
            try RemoteCatalogSettings(address: address, catalogs: Sandbox(root: folder).catalogs))
        if try !catalog.hasRoot { try catalog.pin(root: root) }
        return catalog
    }
}

/// The place of a catalog: an address of a web server, or a local folder.
///
/// The folder at the place contains `metadata` and `targets`.
public enum CatalogAddress: Hashable, Sendable, Codable, RawRepresentable, CustomStringConvertible {
    /// An address that begins with `http://` or `https://`, without a slash at its end.
    case web(String)
    /// An absolute path.
    case folder(FilePath)

    /// Creates a place from an address with the scheme `http`, `https` or `file`; returns `nil` for any other text.
    public init?(_ text: String) { self.init(rawValue: text) }

    /// Creates a place from an address, in which form it is encoded.
    public init?(rawValue text: String) {
        let scheme = text.prefix { $0 != ":" }.lowercased()
        guard text.utf8.allSatisfy({ 0x21...0x7E ~= $0 }), text.dropFirst(scheme.count).hasPrefix("://") else {
            return nil
        }
        var rest = text.dropFirst(scheme.count + 3)
        while rest.count > 1, rest.hasSuffix("/") { rest = rest.dropLast() }
        switch scheme {
        case "http" where !rest.isEmpty, "https" where !rest.isEmpty: self = .web("\(scheme)://\(rest)")
        case "file" where rest.hasPrefix("/"): self = .folder(FilePath(String(rest)))
        default: return nil
        }
    }

    /// A Boolean value that indicates whether the place is a web server.
    public var isWeb: Bool { if case .web = self { true } else { false } }

    /// The address as a text that creates an equal value, with a password in it.
    public var text: String {
        switch self {
        case .web(let address): address
        case .folder(let path): "file://\(path)"
        }
    }

    /// The address, as it is encoded.
    public var rawValue: String { text }

    /// The address for messages and other output, with `***` in place of a password.
    public var description: String { isWeb ? HTTPRequest.redacted(text) : text }
}

/// One installation, with a random name that no server learns.
///
/// It has a place from 0 to 99 for each version, so that a growing share keeps all installations that it had.
struct Installation {
    /// The file with the name.
    let file: FilePath

    /// Returns whether this installation gets a version that is rolled out to some percent of all.
    func gets(_ identity: BundleIdentity, rolledOutTo percent: Int) throws(AtriumError) -> Bool {
        if percent >= 100 { return true }
        let digest = try ContentDigest.of(Array("\(name())\n\(identity)".utf8))
        return Int((UInt64(digest.prefix(15), radix: 16) ?? 0) % 100) < percent
    }

    /// Returns the name, which is chosen at the first call.
    func name() throws(AtriumError) -> String {
        if try FileSystem.item(at: file) == nil { try choose() }
        guard case .file(let bytes, _) = try FileSystem.contents(of: file, limit: 64) else {
            throw AtriumError(.inputOutput, file, reason: "fileUnreadable")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Chooses a name, unless another process has done so meanwhile.
    private func choose() throws(AtriumError) {
        _ = try FileSystem.makeFolders(file.parent)
        do {
            try FileSystem.whileLocked(file.parent) {
                guard try FileSystem.item(at: file) == nil else { return }
                try FileSystem.replace(file, with: Array(String(UInt64.random(in: 0 ... .max), radix: 36).utf8))
            }
        } catch {
            throw error as? AtriumError ?? AtriumError(.inputOutput, file)
        }
    }
}
