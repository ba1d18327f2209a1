internal import CatalogFormat
import HostSystem
public import PluginCore

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
