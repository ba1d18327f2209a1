import Console
import BundleFormat
public import CatalogFormat
public import PluginComponents
public import PluginCore
import PluginRuntime
import TUFMetadata

extension CatalogEditor {
    /// The effect of adding a package.
    public enum Addition: String, Sendable {
        /// The version is new.
        case added
        /// The version was there; its channel, its share or its signature has changed.
        case updated
        /// The same package was there.
        case unchanged
    }

    /// Adds a package.
    ///
    /// - Throws: ``CommandError`` with `versionReused` for a version that is published with other content, or `versionRevoked`.
    @discardableResult
    public mutating func add(_ package: CheckedPackage) throws -> Addition {
        var (entry, files) = (package.entry, package.files)
        let identity = entry.manifest.identity
        var list = try versions(of: identity.identifier)
        if let revoked = list.revoked.first(where: { $0.version == identity.version }) {
            throw CommandError.versionRevoked(identity, reason: revoked.reason)
        }
        let path = CatalogPath.package(identity)
        let old = try target(path)
        if let old, let custom = old.custom {
            let published = try CatalogEntry(custom: custom, path: path)
            guard published.sealDigest == entry.sealDigest else { throw CommandError.versionReused(identity) }
            if old.hashes.known[.sha256] == (try PackageFile(path: package.path).digest()) {
                // The same parts, made with another release of zlib, can have other bytes.
                (entry.deltas, entry.parts, files) = (published.deltas, published.parts, [:])
                if published == entry { return .unchanged }
            } else {
                // With another signature it is another file, to which they do not lead.
                try removeDeltas(of: published)
            }
        }
        try addTarget(path, .file(package.path), custom: entry.custom)
        if let icon = entry.icon, let content = package.icon { try addTarget(icon, .bytes(content), custom: nil) }
        for (path, file) in files { try addTarget(path, .file(file), custom: nil) }
        let before = list
        list.add(identity.version, channel: entry.channel, rollout: entry.rollout)
        if list != before { try setVersions(list) }
        for need in CatalogNeed.needs(of: entry.manifest) {
            providerChanges[need, default: ProviderChange()].added.insert(identity.identifier)
            providerChanges[need]?.removed.remove(identity.identifier)
        }
        return old == nil ? .added : .updated
    }

    /// Revokes a version: it is no longer offered, and hosts that have it move off it.
    ///
    /// - Throws: ``CommandError`` with `versionUnknown` or `versionRevoked`.
    public mutating func revoke(_ identity: BundleIdentity, reason: String) throws {
        var list = try versions(of: identity.identifier)
        if let revoked = list.revoked.first(where: { $0.version == identity.version }) {
            throw CommandError.versionRevoked(identity, reason: revoked.reason)
        }
        let entry = try withdraw(identity, from: &list)
        list.revoked.append(
            RevokedVersion(version: identity.version, sealDigest: entry.sealDigest, reason: reason))
        list.revoked.sort { $0.version > $1.version }
        try setVersions(list)
    }

    /// Removes a version that was published by mistake, without revoking it.
    ///
    /// - Throws: ``CommandError`` with `versionUnknown`.
    public mutating func unpublish(_ identity: BundleIdentity) throws {
        var list = try versions(of: identity.identifier)
        _ = try withdraw(identity, from: &list)
        try setVersions(list)
    }

    /// Removes the targets of a version, and the bundle from the providers of needs that no other version meets.
    private mutating func withdraw(
        _ identity: BundleIdentity, from list: inout CatalogVersions
    ) throws -> CatalogEntry {
        guard list.offered.contains(identity.version), let entry = try entry(of: identity) else {
            throw CommandError.versionUnknown(identity, offered: list.offered)
        }
        try removeTarget(CatalogPath.package(identity))
        if let icon = entry.icon { try removeTarget(icon) }
        try removeTarget(CatalogPath.interface(of: identity))
        for part in entry.parts { try removeTarget(CatalogPath.part(of: identity, for: part.platform)) }
        try removeDeltas(of: entry)
        list.remove(identity.version)
        var lost = CatalogNeed.needs(of: entry.manifest)
        for version in list.offered where !lost.isEmpty {
            let other = BundleIdentity(identifier: identity.identifier, version: version)
            if let entry = try self.entry(of: other) { lost.subtract(CatalogNeed.needs(of: entry.manifest)) }
        }
        for need in lost {
            providerChanges[need, default: ProviderChange()].removed.insert(identity.identifier)
            providerChanges[need]?.added.remove(identity.identifier)
        }
        return entry
    }

    /// Removes the deltas to a package. Those from it stay, for hosts that have it and leave it.
    private mutating func removeDeltas(of entry: CatalogEntry) throws {
        for (path, _) in entry.allDeltas { try removeTarget(path) }
    }

    /// Returns the entry of a version, or nil if it is not offered.
    func entry(of identity: BundleIdentity) throws -> CatalogEntry? {
        let path = CatalogPath.package(identity)
        guard let custom = try target(path)?.custom else { return nil }
        return try CatalogEntry(custom: custom, path: path)
    }
}

// Components are for builds only. They are in no list of versions or providers, so hosts never look for them.
extension CatalogEditor {
    /// Adds the Interface of a version that the catalog offers.
    ///
    /// - Throws: ``CommandError`` with `interfaceRefused` if the version is not offered, or belongs to another team; `versionReused`
    ///   for a version whose Interface has other content.
    @discardableResult
    public mutating func add(_ interface: InterfaceArchive) throws -> Addition {
        let identity = interface.identity
        guard let entry = try entry(of: identity) else {
            throw CommandError.interfaceRefused(identity, "its package is not published")
        }
        guard entry.team == interface.seal.team else {
            throw CommandError.interfaceRefused(
                identity, "it is signed by the team \(interface.seal.team), and its package by \(entry.team)")
        }
        let path = CatalogPath.interface(of: identity)
        let old = try target(path)
        if let old {
            let published = try CatalogInterface(custom: old.custom ?? JSONObject(), path: path)
            guard published.sealDigest == interface.sealDigest else { throw CommandError.versionReused(identity) }
            if old.hashes.known[.sha256] == (try PackageFile(path: interface.path).digest()) { return .unchanged }
        }
        try addTarget(path, .file(interface.path), custom: CatalogInterface(of: interface).custom)
        return old == nil ? .added : .updated
    }

    /// Adds the archive of an SDK.
    ///
    /// - Throws: ``CommandError`` with `fileReused` for a version with other content.
    @discardableResult
    public mutating func add(_ sdk: CatalogSDK, from file: FilePath) throws -> Addition {
        let path = CatalogPath.sdk(sdk)
        if let old = try target(path) {
            guard old.hashes.known[.sha256] == (try PackageFile(path: file).digest()) else {
                throw CommandError.fileReused(path)
            }
            return .unchanged
        }
        try addTarget(path, .file(file), custom: sdk.custom)
        let listPath = CatalogPath.sdkVersions(for: sdk.platform)
        var list = CatalogSDKVersions()
        if let custom = try target(listPath)?.custom { list = try CatalogSDKVersions(custom: custom, path: listPath) }
        list.add(sdk.version)
        guard list.versions.count <= CatalogLimits.versions else {
            throw CommandError.listFull(listPath, limit: CatalogLimits.versions)
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
