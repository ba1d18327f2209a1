import BundleFormat
import CatalogFormat
import HostSystem
import PluginCore
import PluginRuntime
import PluginRouter
import TUFMetadata
import TUFRepository

/// A published catalog of 100,000 packages in hashed bins.
///
/// Each package has an entry, a list of versions, and a list of the providers of its address, as `bundletool publish` writes them. Only
/// the first package has a content, because a refresh reads none.
struct LargeCatalog {
    /// The identifier of the package with a content.
    static let installable = "com.benchmark.synthetic.n0"

    let folder: FilePath

    /// Publishes the catalog, all of whose roles have one key.
    init(in workshop: Workshop, effort: Effort) throws {
        folder = workshop.folder.appending("large-catalog")
        let key = try SecretKey.generate(.ed25519)
        var editor = try RepositoryEditor(folder: folder.string)
        // As `bundletool publish` does with so many bins.
        editor.snapshotHasHashes = false
        for role in TopLevelRole.allCases { try editor.setKeys([key.publicKey], threshold: 1, of: role) }
        try editor.delegateToBins(count: effort.count(1_024, smoke: 2), keys: [key.publicKey])
        let bins = try editor.targets(of: "targets").delegations
        func add(_ path: String, _ file: TargetFile) throws {
            try editor.addTarget(path, published: file, role: try bins?.roles(covering: path).first?.name ?? "targets")
        }
        func addList(_ path: String, _ custom: JSONObject) throws {
            try add(path, TargetFile(of: JSONValue.object(custom).text, custom: custom))
        }

        let package = try workshop.writeSynthetic(0, to: workshop.folder.appending("large-catalog-packages"))
        let first = try CatalogEntry(of: SealedPackage(opening: package, converters: .standard))
        let path = CatalogPath.package(first.manifest.identity)
        let content = try editor.addTarget(
            path, file: package.string, custom: first.custom, role: try bins?.roles(covering: path).first?.name)
        let template = String(decoding: JSONValue.object(first.custom).text, as: UTF8.self)
        for number in 0..<effort.count(100_000, smoke: 20) {
            let text = template.replacing("synthetic.n0", with: "synthetic.n\(number)")
                .replacing("synthetic0", with: "synthetic\(number)")
            guard case .object(let custom) = try JSONValue(parsing: Array(text.utf8)) else {
                throw CatalogRequests.Flaw(description: "the entry of a package is no JSON object")
            }
            let identity = BundleIdentity(
                identifier: try BenchTeam.bundle("synthetic.n\(number)"), version: first.manifest.identity.version)
            let path = CatalogPath.package(identity)
            // The entry is read as a host reads it.
            let entry = try CatalogEntry(custom: custom, path: path)
            if number > 0 {
                try add(path, TargetFile(length: content.length, hashes: content.hashes, custom: custom))
            }
            let versions = CatalogVersions(identifier: identity.identifier, offered: [identity.version])
            try addList(CatalogPath.versions(of: identity.identifier), versions.custom)
            let providers = CatalogProviders(bundles: [identity.identifier])
            for need in CatalogNeed.needs(of: entry.manifest) {
                try addList(CatalogPath.providers(of: need), providers.custom)
            }
        }
        try editor.publish(signedBy: [key])
    }
}
