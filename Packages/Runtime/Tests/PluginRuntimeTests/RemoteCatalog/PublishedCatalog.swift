import Authoring
import HostSystem
import PluginRouter
import BundleFormat
import PluginRuntime
import CatalogFormat
import Deltas
import PluginCore
import RemoteCatalog
import TUFMetadata
import TUFRepository
import Testing

/// A published catalog in a folder, all of whose roles have one key.
struct PublishedCatalog {
    let folder: FilePath
    private let key: SecretKey
    /// The days for which newly signed metadata is valid.
    var lifetimes: RoleLifetimes

    init(at folder: FilePath, lifetimes: RoleLifetimes = RoleLifetimes(), at time: TUFMetadata.UTCTime = .now) throws {
        self.folder = folder
        self.lifetimes = lifetimes
        key = try SecretKey.generate(.ed25519)
        var editor = try RepositoryEditor(folder: folder.string)
        editor.lifetimes = lifetimes
        for role in TopLevelRole.allCases { try editor.setKeys([key.publicKey], threshold: 1, of: role) }
        try editor.publish(signedBy: [key], at: time)
    }

    var address: CatalogAddress { .folder(folder) }

    /// The first root, which a host pins.
    var root: [UInt8] { get throws { try folder.appending("metadata/1.root.json").bytes } }

    /// Returns the catalog as a host with a sandbox sees it, with its root pinned.
    func catalog(in folder: FilePath, _ change: (inout RemoteCatalogSettings) -> Void = { _ in }) throws
        -> RemoteCatalog
    {
        var settings = try RemoteCatalogSettings(address: address, catalogs: folder)
        change(&settings)
        let catalog = RemoteCatalog(settings)
        if !settings.folder.appending("metadata/root.json").exists { try catalog.pin(root: try root) }
        return catalog
    }

    /// Publishes packages with a part for each of several hosts, and replaces packages of the same versions.
    ///
    /// - Parameter hosts: The hosts that their entries name.
    func publish(
        _ packages: SamplePackage..., channel: String = "stable", rollout: Int = 100, hosts: [String] = []
    ) throws {
        var editor = try RepositoryEditor(folder: folder.string)
        editor.lifetimes = lifetimes
        let unpublished = folder.parent.appending("unpublished")
        try unpublished.makeFolder()
        for sample in packages {
            let path = try sample.write(to: unpublished)
            let package = try SealedPackage(opening: path, converters: .standard)
            var entry = try CatalogEntry(of: package, channel: channel, rollout: rollout)
            entry.hosts = hosts
            let identity = entry.manifest.identity
            for platform in entry.platforms where entry.platforms.count > 1 {
                let part = unpublished.appending("part.zip")
                try package.writePart(for: platform, to: part)
                let target = try editor.addTarget(CatalogPath.part(of: identity, for: platform), bytes: part.bytes)
                entry.parts.append(
                    CatalogPart(
                        platform: platform, length: target.length,
                        sha256: try #require(target.hashes.known[.sha256])))
            }
            try editor.addTarget(CatalogPath.package(identity), file: path.string, custom: entry.custom)
            let list = CatalogPath.versions(of: identity.identifier)
            let known = try editor.targets(of: "targets")[list]?.custom
            if let icon = entry.icon, let content = try package.icon() { try editor.addTarget(icon, bytes: content) }
            var versions =
                try known.map { try CatalogVersions(custom: $0, identifier: identity.identifier) }
                ?? CatalogVersions(identifier: identity.identifier)
            versions.add(identity.version, channel: channel, rollout: rollout)
            try editor.addTarget(list, bytes: JSONValue.object(versions.custom).text, custom: versions.custom)
            for need in CatalogNeed.needs(of: entry.manifest) {
                let path = CatalogPath.providers(of: need)
                let known = try editor.targets(of: "targets")[path]?.custom
                var providers = try known.map { try CatalogProviders(custom: $0) } ?? CatalogProviders()
                providers.bundles = Set(providers.bundles + [identity.identifier]).sorted()
                try editor.addTarget(path, bytes: JSONValue.object(providers.custom).text, custom: providers.custom)
            }
        }
        try editor.publish(signedBy: [key])
    }

    /// Publishes 1.0.0 of the shop, lets a host install it, and publishes 1.1.0.
    func publishUpdate(for host: TestHost) async throws {
        try publish(SamplePackage(version: "1.0.0"))
        try await host.manager.install(.shop)
        try publish(SamplePackage(version: "1.1.0"))
    }

    /// Publishes a package with a delta from a published version.
    ///
    /// - Parameter change: Changes the delta before its description is signed.
    func publish(
        _ package: SamplePackage, deltaFrom base: SemanticVersion, _ change: (inout [UInt8]) throws -> Void = { _ in }
    ) throws {
        try publish(package)
        let identity = BundleIdentity(
            identifier: package.identifier, version: try #require(SemanticVersion(package.version)))
        let old = try file(of: BundleIdentity(identifier: package.identifier, version: base))
        let (path, delta) = (CatalogPath.package(identity), folder.parent.appending("unpublished/delta"))
        try Delta.make(from: .package(old.string), to: file(of: identity).string, at: delta.string)
        var bytes = try delta.bytes
        try change(&bytes)
        var editor = try RepositoryEditor(folder: folder.string)
        let target = try editor.addTarget(CatalogPath.delta(from: base, to: identity), bytes: bytes)
        var entry = try CatalogEntry(custom: try #require(editor.targets(of: "targets")[path]?.custom), path: path)
        entry.deltas = [
            CatalogDelta(
                base: base, baseSeal: try PackageFile(path: old).sealDigest(), length: target.length,
                sha256: try #require(target.hashes.known[.sha256]))
        ]
        try editor.addTarget(path, file: file(of: identity).string, custom: entry.custom)
        try editor.publish(signedBy: [key])
    }

    /// Returns the content of a delta between two published packages.
    func bytesOfDelta(from base: BundleIdentity, to identity: BundleIdentity) throws -> [UInt8] {
        let path = folder.parent.appending("unpublished/other-delta")
        try Delta.make(from: .package(file(of: base).string), to: file(of: identity).string, at: path.string)
        return try path.bytes
    }

    /// Returns the file of the delta between two published versions.
    func delta(to identity: BundleIdentity) throws -> FilePath {
        try target(of: identity) { $0.hasSuffix("_to_\(identity.version).delta") }
    }

    /// Returns the file of a published package.
    func file(of identity: BundleIdentity) throws -> FilePath {
        try target(of: identity) { $0.hasSuffix(PackageFile.name(of: identity)) }
    }

    private func target(of identity: BundleIdentity, where isIt: (String) -> Bool) throws -> FilePath {
        let folder = folder.appending("targets/\(identity.identifier)")
        let name = try folder.names.first(where: isIt)
        return folder.appending(try #require(name))
    }

    /// Revokes a version.
    func revoke(_ identity: BundleIdentity) throws {
        var editor = try RepositoryEditor(folder: folder.string)
        let (list, package) = (CatalogPath.versions(of: identity.identifier), CatalogPath.package(identity))
        let targets = try editor.targets(of: "targets")
        let entry = try CatalogEntry(custom: try #require(targets[package]?.custom), path: package)
        let custom = try #require(targets[list]?.custom)
        var versions = try CatalogVersions(custom: custom, identifier: identity.identifier)
        versions.remove(identity.version)
        versions.revoked.append(
            RevokedVersion(version: identity.version, sealDigest: entry.sealDigest, reason: "It loses orders."))
        versions.revoked.sort { $0.version > $1.version }
        try editor.removeTarget(package)
        try editor.addTarget(list, bytes: JSONValue.object(versions.custom).text, custom: versions.custom)
        try editor.publish(signedBy: [key])
    }
}

/// Returns a published catalog, and a host that trusts it.
func publishedCatalog(in folder: FilePath) throws -> (PublishedCatalog, RemoteCatalog, TestHost) {
    let published = try PublishedCatalog(at: folder.appending("published"))
    let catalog = try published.catalog(in: folder.appending("sandbox/Containers/Catalogs"))
    return (published, catalog, TestHost(folder, catalog: catalog))
}

/// Returns the identity of a version of a bundle.
func identity(_ version: String, of identifier: BundleIdentifier = TestHost.shop) throws -> BundleIdentity {
    BundleIdentity(identifier: identifier, version: try #require(SemanticVersion(version)))
}
