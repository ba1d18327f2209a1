package import BundleFormat
import HostSystem
package import PluginCore
import PluginRouter
import Registry

/// The installed bundles in the registry, or those after the next start of a host: the staged versions, and otherwise the active ones.
struct RegistrySandbox: ResolverSandbox {
    let registry: Registry
    private var staged: [BundleIdentifier: VersionQuestion.Installed] = [:]

    init(_ registry: Registry, afterStart isStaged: Bool = false) throws(AtriumError) {
        self.registry = registry
        for bundle in isStaged ? try registry.staged.all() : [] {
            staged[bundle.identity.identifier] = VersionQuestion.Installed(
                version: bundle.identity.version, requirements: bundle.requirements)
        }
    }

    func installed(_ identifier: BundleIdentifier) throws(AtriumError) -> VersionQuestion.Installed? {
        if let staged = staged[identifier] { return staged }
        guard let bundle = try registry.active.version(of: identifier) else { return nil }
        return VersionQuestion.Installed(version: bundle.identity.version, requirements: bundle.requirements)
    }

    func dependents(of identifier: BundleIdentifier) throws(AtriumError) -> [BundleIdentifier] {
        let staying = try registry.dependents(of: identifier).filter { staged[$0] == nil }
        let coming = staged.filter { $0.value.requirements.contains { $0.identifier == identifier } }.map(\.key)
        return (staying + coming).sorted()
    }

    func identifiers() throws(AtriumError) -> [BundleIdentifier] {
        Set(try registry.active.identifiers()).union(staged.keys).sorted()
    }
}

extension ResolverOffers {
    /// Returns whether an error speaks against the machine and not against a version.
    package func isTemporary(_ error: AtriumError) -> Bool { error.isEnvironmental }
}

/// The offers for installations: the manifests of packages that a trusted team has signed.
///
/// Unsigned packages have no influence, so they can't keep out signed ones. At installation, each package is opened again and
/// must have the same seal. A package that is still to be downloaded is planned with as the catalog's signed metadata describes it.
package final class SealedOffers: ResolverOffers {
    let offers: any Offers
    let limit: (any ChangeLimit)?
    private let planner: ChangePlanner
    /// The digest of each package's seal.
    private var digests: [BundleIdentity: String] = [:]
    private var refused: [BundleIdentity: AtriumError] = [:]
    private var suspected: [BundleIdentity: String] = [:]

    /// Creates the offers.
    ///
    /// - Parameter limit: the versions and contents that the packages must keep to.
    init(_ offers: any Offers, planner: ChangePlanner, within limit: (any ChangeLimit)? = nil) {
        self.offers = offers
        self.planner = planner
        self.limit = limit
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
            try offered.requirePlatform()
            digest = try offered.sealDigest()
        }
        for admission in planner.admission { try admission.admit(manifest) }
        digests[identity] = digest
        let known = try planner.registry.versions.all(of: identity.identifier).first { $0.identity == identity }
        try known?.requireSame(digest)
        try limit?.requireContent(digest, of: identity)
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

    /// Returns packages that have the same seals as when they were planned with.
    func packages(_ identities: [BundleIdentity]) throws(AtriumError) -> [SealedPackage] {
        try identities.map { identity throws(AtriumError) in try package(identity) }
    }

    /// Excludes a package whose contents turned out to be invalid in two reads, so that a failing disk isn't mistaken for a broken package.
    ///
    /// - Returns: whether to plan again, because the version wasn't requested explicitly and the fault is in its package.
    func leaveOut(_ packages: [SealedPackage], for error: AtriumError, but requests: [InstallRequest]) -> Bool {
        let ofContents: Set<AtriumError.Code> = [
            .sealBroken, .packageInvalid, .libraryMissing, .libraryIncompatible, .libraryUnloadable,
        ]
        let crashedVersion = packages.first {
            [$0.path.lastComponent, $0.manifest.identity.description].contains(error.subject)
        }
        guard ofContents.contains(error.code), let identity = crashedVersion?.manifest.identity,
            !requests.namedVersions.contains(where: { $0.identifier == identity.identifier })
        else { return false }
        if suspected.updateValue(error.description, forKey: identity) == error.description { refused[identity] = error }
        return true
    }
}

extension CatalogPackage {
    /// Checks that the package is for this host's platform, as far as the catalog says which it is for.
    ///
    /// - Throws: ``AtriumError`` with code `libraryMissing` and the platforms.
    package func requirePlatform() throws(AtriumError) {
        guard let platforms, !platforms.contains(Platform.triple) else { return }
        throw .otherPlatform(manifest.identity, platforms)
    }
}

extension PluginBundle {
    /// Checks that a package of this version has the content of this version, because a version number identifies exactly one content.
    ///
    /// - Throws: ``AtriumError`` with code `versionReused`.
    func requireSame(_ digest: String) throws(AtriumError) {
        guard digest != self.digest else { return }
        throw AtriumError(
            .versionReused, identity.description,
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
        let kept = try registry.active.bundle(identifier)?.previous?.identity.version
        return coming.map(\.identity).filter { $0.identifier == identifier }.map(\.version) + [kept].compactMap(\.self)
    }

    func requireReachable() {}

    func requirements(of identity: BundleIdentity) throws(AtriumError) -> [BundleRequirement] {
        var manifest = coming.first { $0.identity == identity }
        if manifest == nil, let previous = try registry.active.bundle(identity.identifier)?.previous,
            previous.identity == identity
        {
            let version = try registry.placed(previous)
            try permit(version)
            manifest = version.manifest
        }
        guard let manifest else { throw AtriumError(.bundleUnavailable, identity.description, reason: "notKept") }
        var requirements: [BundleRequirement] = []
        for requirement in manifest.requirements {
            // A bundle on demand can be missing, and only a catalog knows whether it can be installed.
            if requirement.isOnDemand, try registry.active.version(of: requirement.identifier) == nil { continue }
            requirements.append(requirement)
        }
        return requirements
    }
}

/// The rules that block offered versions from being installed.
package struct VersionPolicy: Sendable {
    let registry: Registry
    let admission: [any Admission]

    /// Returns a function that returns the reason why a version is blocked: the host, its content, a newer version that has run, or a pin.
    ///
    /// - Parameters:
    ///   - offers: the offers, from which the content of other versions is known.
    ///   - contents: the digests of the seals of versions whose content is known, such as staged ones.
    ///   - named: the versions that a user has requested explicitly, which a rollback doesn't block, but a pin does.
    /// - Throws: the errors of the registry and of the host's rules. The returned function throws them too, and `catalogUnreachable` or `inputOutput`
    ///   when the package of a version with a block can't be read.
    package func blockRule(
        in offers: any Offers, knowing contents: [BundleIdentity: String] = [:], naming named: Set<BundleIdentity> = []
    ) throws(AtriumError) -> VersionQuestion.BlockRule {
        let blocks = Dictionary(grouping: try registry.quarantine.all(), by: \.identity)
        let pins = try registry.notes.pins()
        let rules = try admission.map { admission throws(AtriumError) in try admission.installRule() }
        return { identity throws(AtriumError) in
            for rule in rules { if let refusal = rule(identity) { return refusal } }
            if let minimumVersion = try registry.notes.minimumVersion(of: identity.identifier),
                identity.version < minimumVersion
            {
                return AtriumError(.downgrade, identity.description, reason: "hasRun", ["version": "\(minimumVersion)"])
            }
            if let block = try block(on: identity, among: blocks[identity], contents, offers) { return block }
            guard let pin = pins[identity.identifier],
                named.contains(identity) ? pin.isOutside(identity.version) : pin.excludes(identity.version)
            else { return nil }
            return AtriumError(.pinned, identity.description, reason: pin.reason)
        }
    }

    private func block(
        on identity: BundleIdentity, among blocks: [QuarantinedVersion]?, _ contents: [BundleIdentity: String],
        _ offers: any Offers
    ) throws(AtriumError) -> AtriumError? {
        // Only the packages of versions with a block have to be read, which are rare.
        guard let blocks else { return nil }
        var content = contents[identity]
        if content == nil {
            do throws(AtriumError) {
                content = try offers.package(identity).sealDigest()
            } catch {
                // An invalid package is reported later.
                if error.isEnvironmental { throw error }
            }
        }
        return blocks.first { $0.digest == content }.map {
            AtriumError(.quarantined, identity.description, reason: $0.reason)
        }
    }
}

/// The names that running code, the app and the host have taken, which the registry doesn't know.
struct ReservedNames: Sendable {
    let registrations: RegistrationStore
    let services: HostServices
    /// The app's own routes.
    let rules: [Route]

    /// Checks that a manifest doesn't conflict with routes of running code or the app, or with targets and services of the host.
    ///
    /// This is checked in the same critical section in which the registry is changed.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`, `targetConflict` or `serviceConflict`.
    func requireFree(_ manifest: Manifest) throws(AtriumError) {
        try registrations.requireFree(manifest, besides: rules, converters: services.converters)
        let identifier = manifest.identity.identifier
        for target in manifest.targets where services.targets.contains(where: { $0.name == target.name }) {
            throw .taken(.targetConflict, target.name, of: identifier, by: "the host")
        }
        for service in manifest.services where services.provided.contains(where: { $0.name == service }) {
            throw .taken(.serviceConflict, service, of: identifier, by: "the host")
        }
    }
}
