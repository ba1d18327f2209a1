import BundleFormat
public import PluginCore
internal import CatalogFormat
import HostSystem

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
    /// The part of a metadata file that names packages.
    private struct Targets: Decodable {
        struct Nothing: Decodable {}
        struct Signed: Decodable { let targets: [String: Nothing]? }

        let signed: Signed
    }

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
                let content = try? StrictJSON.decode(Targets.self, from: bytes)
            else { continue }
            for path in (content.signed.targets ?? [:]).keys {
                if let identity = CatalogPath.identity(ofPackage: path) { found.insert(identity) }
            }
        }
        return found.sorted { ($0.identifier, $1.version) < ($1.identifier, $0.version) }
    }
}
