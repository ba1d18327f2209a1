package import BundleFormat
import HostSystem
package import PluginCore
import PluginRouter
import Registry

/// The installed bundles in the registry, or those after the next start of a host: the staged versions, and otherwise the active ones.
struct RegistrySandbox: ResolverSandbox {
    let registry: Registry
    private let staged: [BundleIdentifier: PluginBundle]

    init(_ registry: Registry, afterStart isStaged: Bool = false) throws(AtriumError) {
        self.registry = registry
        let bundles = isStaged ? try registry.staged.all() : []
        staged = Dictionary(uniqueKeysWithValues: bundles.map { ($0.identifier, $0) })
    }

    func installed(_ identifier: BundleIdentifier) throws(AtriumError) -> VersionQuestion.Installed? {
        let active = staged[identifier] == nil ? try registry.active.version(of: identifier) : nil
        return (staged[identifier] ?? active).map { ($0.version, $0.requirements) }
    }

    func dependents(of identifier: BundleIdentifier) throws(AtriumError) -> [BundleIdentifier] {
        let staying = try registry.dependents(of: identifier).filter { staged[$0] == nil }
        let coming = staged.filter { $0.value.requirements.contains { $0.identifier == identifier } }.map(\.key)
        return (staying + coming).sorted()
    }
}

/// The offers for installations: the manifests of packages that a trusted team has signed.
///
/// Unsigned packages have no influence, so they can't keep out signed ones. At installation, each package is opened again and
/// must have the same seal. A package that is still to be downloaded is planned with as the catalog's signed metadata describes it.
package final class SealedOffers: ResolverOffers {
    let offers: any Offers
    let order: InstallOrder
    private let planner: ChangePlanner
    /// The digest of each package's seal.
    private var digests: [BundleIdentity: String] = [:]
    private var refused: [BundleIdentity: AtriumError] = [:]
    private var suspected: [BundleIdentity: String] = [:]

    init(_ offers: any Offers, for order: InstallOrder, planner: ChangePlanner) {
        self.offers = offers
        self.order = order
        self.planner = planner
    }

    package func versions(of identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion] {
        try offers.versions(of: identifier)
    }

    package func requireReachable() throws(AtriumError) { try offers.requireReachable() }

    /// Returns the requirements of a version according to its sealed manifest.
    ///
    /// - Throws: as ``ChangePlanner/sealed(_:for:)``, and ``AtriumError`` with code `versionReused` when the registry has different content
    ///   under that version, and those of the limit.
    package func requirements(of identity: BundleIdentity) throws(AtriumError) -> [BundleRequirement] {
        if let refusal = refused[identity] { throw refusal }
        let offered = try offers.package(identity)
        var manifest = offered.manifest
        let digest: String
        if offered.download == nil {
            let package = try planner.sealed(offered)
            (manifest, digest) = (package.manifest, package.digest)
        } else {
            try offered.requireBuild()
            digest = try offered.sealDigest()
        }
        for admission in planner.services.admission { try admission.admit(manifest) }
        digests[identity] = digest
        let known = try planner.registry.versions.all(of: identity.identifier).first { $0.identity == identity }
        try known?.requireSame(digest)
        try order.limit?.requireContent(digest, of: identity)
        return manifest.requirements
    }

    /// Returns a package that has the same seal as when it was planned with.
    ///
    /// - Throws: as ``ChangePlanner/sealed(_:for:)``, and ``AtriumError`` with code `packageInvalid` when the package has been replaced.
    package func package(_ identity: BundleIdentity) throws(AtriumError) -> SealedPackage {
        let package = try planner.sealed(offers.package(identity))
        guard package.digest == digests[identity] else {
            throw AtriumError(.packageInvalid, package.path.lastComponent, reason: "changedWhileRead")
        }
        return package
    }

    /// Excludes a package whose contents turned out to be invalid in two reads, so that a failing disk isn't mistaken for a broken package.
    ///
    /// - Returns: whether to plan again, because the version wasn't requested explicitly and the fault is in its package.
    func leaveOut(_ packages: [SealedPackage], for error: AtriumError) -> Bool {
        let ofContents: Set<AtriumError.Code> = [
            .sealBroken, .packageInvalid, .libraryMissing, .libraryIncompatible, .libraryUnloadable,
        ]
        let crashedVersion = packages.first {
            [$0.path.lastComponent, $0.manifest.identity.description].contains(error.subject)
        }
        guard ofContents.contains(error.code), let identity = crashedVersion?.manifest.identity,
            !order.requests.contains(where: { $0.version != nil && $0.identifier == identity.identifier })
        else { return false }
        if suspected.updateValue(error.description, forKey: identity) == error.description { refused[identity] = error }
        return true
    }
}

extension CatalogPackage {
    /// Checks that the package has libraries for a host, as far as the catalog says which it is for.
    ///
    /// - Throws: ``AtriumError`` with code `libraryMissing` and the hosts that it is for, or `libraryIncompatible` for another Core.
    package func requireBuild(for host: LibraryBuild = .host) throws(AtriumError) {
        try manifest.requireBuild(among: platforms ?? [], for: host)
        let known = hosts.filter { LibraryBuild($0).platform == host.platform }
        guard known.isEmpty || known.contains(host.folder) else { throw .otherHost(manifest.identity, hosts, host) }
    }
}

extension PluginBundle {
    /// Checks that a package of this version has the content of this version, because a version number identifies exactly one content.
    ///
    /// - Throws: ``AtriumError`` with code `versionReused`.
    func requireSame(_ digest: String) throws(AtriumError) {
        guard digest != self.digest else { return }
        throw AtriumError(
            .versionReused, identity,
            reason: "sealDiffers", ["seal": "\(digest.prefix(12))", "installed": "\(self.digest.prefix(12))"])
    }
}

/// The offers of a change that needs no catalog: only the versions that a sandbox keeps.
struct KeptOffers: ResolverOffers {
    let registry: Registry
    /// The manifests of the versions that become active together.
    var coming: [Manifest] = []
    /// Throws when a version may not become active again.
    var permit: (PlacedVersion) throws(AtriumError) -> Void = { _ in }

    func versions(of identifier: BundleIdentifier) throws(AtriumError) -> [SemanticVersion] {
        let kept = try registry.active.bundle(identifier)?.previous?.version
        return coming.map(\.identity).filter { $0.identifier == identifier }.map(\.version) + [kept].compactMap(\.self)
    }

    func requireReachable() {}

    func requirements(of identity: BundleIdentity) throws(AtriumError) -> [BundleRequirement] {
        var manifest = coming.first { $0.identity == identity }
        if manifest == nil, let previous = try registry.active.bundle(identity.identifier)?.previous,
            previous.identity == identity
        {
            let version = try registry.versions.placed(previous)
            try permit(version)
            manifest = version.manifest
        }
        guard let manifest else { throw AtriumError(.bundleUnavailable, identity, reason: "notKept") }
        var requirements: [BundleRequirement] = []
        for requirement in manifest.requirements {
            // A bundle on demand can be missing, and only a catalog knows whether it can be installed.
            if requirement.isOnDemand, try registry.active.version(of: requirement.identifier) == nil { continue }
            requirements.append(requirement)
        }
        return requirements
    }
}
