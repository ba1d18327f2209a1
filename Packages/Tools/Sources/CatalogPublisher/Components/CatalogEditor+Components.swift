import BundleFormat
public import CatalogFormat
public import PluginComponents
public import PluginCore
import TUFMetadata

// Components are for builds only. They are in no list of versions or providers, so hosts never look for them.
extension CatalogEditor {
    /// Adds the Interface of a version that the catalog offers.
    ///
    /// - Throws: ``PublisherError`` with `interfaceRefused` if the version is not offered, or belongs to another team; `versionReused`
    ///   for a version whose Interface has other content.
    @discardableResult
    public mutating func add(_ interface: InterfaceArchive) throws -> Addition {
        let identity = interface.identity
        guard let entry = try entry(of: identity) else {
            throw PublisherError.interfaceRefused(identity, "its package is not published")
        }
        guard entry.team == interface.seal.team else {
            throw PublisherError.interfaceRefused(
                identity, "it is signed by the team \(interface.seal.team), and its package by \(entry.team)")
        }
        let path = CatalogPath.interface(of: identity)
        let old = try target(path)
        if let old {
            let published = try CatalogInterface(custom: old.custom ?? JSONObject(), path: path)
            guard published.sealDigest == interface.sealDigest else { throw PublisherError.versionReused(identity) }
            if old.hashes.known[.sha256] == (try PackageFile(path: interface.path).digest()) { return .unchanged }
        }
        try addTarget(path, .file(interface.path), custom: CatalogInterface(of: interface).custom)
        return old == nil ? .added : .updated
    }

    /// Adds the archive of an SDK.
    ///
    /// - Throws: ``PublisherError`` with `fileReused` for a version with other content.
    @discardableResult
    public mutating func add(_ sdk: CatalogSDK, from file: FilePath) throws -> Addition {
        let path = CatalogPath.sdk(sdk)
        if let old = try target(path) {
            guard old.hashes.known[.sha256] == (try PackageFile(path: file).digest()) else {
                throw PublisherError.fileReused(path)
            }
            return .unchanged
        }
        try addTarget(path, .file(file), custom: sdk.custom)
        let listPath = CatalogPath.sdkVersions(for: sdk.platform)
        var list = CatalogSDKVersions()
        if let custom = try target(listPath)?.custom { list = try CatalogSDKVersions(custom: custom, path: listPath) }
        list.add(sdk.version)
        guard list.versions.count <= CatalogLimits.versions else {
            throw PublisherError.listFull(listPath, limit: CatalogLimits.versions)
        }
        try addTarget(listPath, .bytes(list.content), custom: list.custom)
        return .added
    }
}

extension CatalogInterface {
    /// Describes an archive.
    init(of archive: InterfaceArchive) {
        self.init(
            identity: archive.identity, module: archive.module, sealDigest: archive.sealDigest, team: archive.seal.team)
    }
}
