import BundleFormat
public import CatalogFormat
import Console
import HostSystem
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
        var list = try unrevokedVersions(of: identity)
        let path = CatalogPath.package(identity)
        let old = try target(path)
        if let old, let published = try self.entry(of: identity) {
            guard published.sealDigest == entry.sealDigest else { throw CommandError.versionReused(identity) }
            if try old.isFile(package.path) {
                // The same parts, made with another release of zlib, can have other bytes.
                (entry.deltas, entry.parts, files) = (published.deltas, published.parts, [:])
                if published == entry { return .unchanged }
            } else {
                // With another signature it is another file, to which they do not lead.
                for (path, _) in published.allDeltas { try removeTarget(path) }
            }
        }
        try addTarget(path, .file(package.path), custom: entry.custom)
        if let icon = entry.icon, let content = package.icon { try addTarget(icon, .bytes(content)) }
        for (path, file) in files { try addTarget(path, .file(file)) }
        let before = list
        list.add(identity.version, channel: entry.channel, rollout: entry.rollout)
        if list != before { versions[identity.identifier] = list }
        for need in CatalogNeed.needs(of: entry.manifest) { try set(identity.identifier, isProviderOf: need, true) }
        return old == nil ? .added : .updated
    }

    /// Revokes a version: it is no longer offered, and hosts that have it move off it.
    ///
    /// - Throws: ``CommandError`` with `versionUnknown` or `versionRevoked`.
    public mutating func revoke(_ identity: BundleIdentity, reason: String) throws {
        var list = try unrevokedVersions(of: identity)
        let entry = try withdraw(identity, from: &list)
        list.revoked.append(.init(version: identity.version, sealDigest: entry.sealDigest, reason: reason))
        list.revoked.sort { $0.version > $1.version }
        versions[identity.identifier] = list
    }

    /// Removes a version that was published by mistake, without revoking it.
    ///
    /// - Throws: ``CommandError`` with `versionUnknown`.
    public mutating func unpublish(_ identity: BundleIdentity) throws {
        var list = try versions(of: identity.identifier)
        _ = try withdraw(identity, from: &list)
        versions[identity.identifier] = list
    }

    /// Returns the versions of a bundle, of which one must not be revoked.
    private func unrevokedVersions(of identity: BundleIdentity) throws -> CatalogVersions {
        let list = try versions(of: identity.identifier)
        guard let revoked = list.revoked.first(where: { $0.version == identity.version }) else { return list }
        throw CommandError(
            .refused, identity, code: "versionRevoked", reason: "publicationRevoked", ["problem": "\(revoked.reason)"])
    }

    /// Removes the targets of a version, and the bundle from the providers of needs that no other version meets.
    ///
    /// The deltas from it stay, for hosts that have it and leave it.
    private mutating func withdraw(
        _ identity: BundleIdentity, from list: inout CatalogVersions
    ) throws -> CatalogEntry {
        guard list.offered.contains(identity.version), let entry = try entry(of: identity) else {
            throw CommandError(
                .notFound, identity, code: "versionUnknown",
                reason: list.offered.isEmpty ? "nothingOffered" : "versionUnknown",
                ["offered": .list(list.offered.map(\.description))])
        }
        let parts = entry.parts.map { CatalogPath.part(of: identity, for: $0.platform) }
        let files = [CatalogPath.package(identity), CatalogPath.interface(of: identity)] + parts
        for path in files + [entry.icon].compactMap(\.self) + entry.allDeltas.map(\.path) { try removeTarget(path) }
        list.remove(identity.version)
        var lost = CatalogNeed.needs(of: entry.manifest)
        for version in list.offered where !lost.isEmpty {
            let other = BundleIdentity(identifier: identity.identifier, version: version)
            if let entry = try self.entry(of: other) { lost.subtract(CatalogNeed.needs(of: entry.manifest)) }
        }
        for need in lost { try set(identity.identifier, isProviderOf: need, false) }
        return entry
    }

    /// Returns the entry of a version, or nil if it is not offered.
    func entry(of identity: BundleIdentity) throws -> CatalogEntry? {
        let path = CatalogPath.package(identity)
        return try target(path)?.custom.map { try CatalogEntry(custom: $0, path: path) }
    }
}

extension TargetFile {
    /// Returns whether a local file has the content of the target.
    fileprivate func isFile(_ path: FilePath) throws -> Bool {
        hashes.known[.sha256] == (try PackageFile(path: path).digest())
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
        func refusal(_ problem: String) -> CommandError {
            CommandError(.refused, identity, reason: "interfaceRefused", ["problem": "\(problem)"])
        }
        guard let entry = try entry(of: identity) else { throw refusal("its package is not published") }
        guard entry.team == interface.seal.team else {
            throw refusal("it is signed by the team \(interface.seal.team), and its package by \(entry.team)")
        }
        let path = CatalogPath.interface(of: identity)
        let old = try target(path)
        if let old {
            let published = try CatalogInterface(custom: old.custom ?? JSONObject(), path: path)
            guard published.sealDigest == interface.sealDigest else { throw CommandError.versionReused(identity) }
            if try old.isFile(interface.path) { return .unchanged }
        }
        let description = CatalogInterface(
            identity: identity, module: interface.module, sealDigest: interface.sealDigest, team: interface.seal.team)
        try addTarget(path, .file(interface.path), custom: description.custom)
        return old == nil ? .added : .updated
    }

    /// Adds the archive of an SDK.
    ///
    /// - Throws: ``CommandError`` with `versionReused` for a version with other content.
    @discardableResult
    public mutating func add(_ sdk: CatalogSDK, from file: FilePath) throws -> Addition {
        let path = CatalogPath.sdk(sdk)
        if let old = try target(path) {
            guard try old.isFile(file) else {
                throw CommandError(.refused, path, code: "versionReused", reason: "fileReused")
            }
            return .unchanged
        }
        try addTarget(path, .file(file), custom: sdk.custom)
        let listPath = CatalogPath.sdkVersions(for: sdk.platform)
        var list = try target(listPath)?.custom.map { try CatalogSDKVersions(custom: $0, path: listPath) } ?? .init()
        list.add(sdk.version)
        try setList(listPath, list.custom, count: list.versions.count, limit: CatalogLimits.versions)
        return .added
    }
}
