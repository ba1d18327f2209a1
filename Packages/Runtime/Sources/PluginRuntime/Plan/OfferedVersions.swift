package import BundleFormat
import Registry
import HostSystem
public import PluginCore
public import PluginRouter

/// The versions that a catalog offers to a sandbox, and the reasons why some of them can't be installed.
public struct OfferedVersions: Sendable {
    package let planner: ChangePlanner
    let names: ReservedNames
    /// The offers of the source of packages.
    public let catalog: any Offers
    private var registry: Registry { planner.registry }

    /// The types that captures may have, in all patterns of the catalog.
    public var converters: RouteConverters { planner.converters }

    /// Plans an install or update of some bundles without making it.
    ///
    /// - Throws: as ``InstallTransaction/run(_:offering:staging:)``.
    package func plan(_ requests: [InstallRequest]) throws(AtriumError) -> ResolvedChange {
        try planner.plan(requests, from: planner.sealed(catalog))
    }

    /// Opens a package and verifies its signer.
    package func sealed(
        _ identity: BundleIdentity, for purpose: VerificationPurpose = .install
    ) throws(AtriumError) -> SealedPackage {
        try planner.sealed(catalog.package(identity), for: purpose)
    }

    /// Returns a function that returns the reason why a version is blocked.
    package func blockRule() throws(AtriumError) -> VersionQuestion.BlockRule {
        try planner.versionPolicy.blockRule(in: catalog)
    }

    /// Returns the manifest that would be installed for a bundle: the newest one that isn't blocked and is compatible.
    ///
    /// If no version is compatible, returns the newest one that isn't blocked, whose refusal has the reason. Returns `nil` when
    /// none is offered.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`, and the errors of the package.
    public func offer(of identifier: BundleIdentifier) throws(AtriumError) -> Manifest? {
        let versions = try catalog.versions(of: identifier)
        if versions.isEmpty { try catalog.requireReachable() }
        guard let version = try arrival(of: identifier, from: versions, blockRule()) else {
            return nil
        }
        return try catalog.package(BundleIdentity(identifier: identifier, version: version)).manifest
    }

    /// Returns the version that would be installed, from the offered ones, newest first.
    func arrival(
        of identifier: BundleIdentifier, from versions: [SemanticVersion], _ blockReason: VersionQuestion.BlockRule
    ) throws(AtriumError) -> SemanticVersion? {
        var open: [SemanticVersion] = []
        for version in versions where try blockReason(BundleIdentity(identifier: identifier, version: version)) == nil {
            open.append(version)
        }
        // A single version needs no planning.
        guard open.count > 1 else { return open.first ?? versions.first }
        // The refusal of the version reports why there is no plan.
        let change = try? plan([.install(identifier)])
        return change?.steps.first { $0.identifier == identifier }?.to ?? open.first
    }

    /// Returns the reason why an offered bundle can't be installed according to its manifest, such as requirements or conflicts.
    public func refusal(of manifest: Manifest) -> AtriumError? {
        do {
            _ = try plan([.install(manifest.identity.identifier, manifest.identity.version)])
            try manifest.requireCore()
            try registry.requireFree(manifest)
            try names.requireFree(manifest)
            return nil
        } catch {
            return error
        }
    }

    /// Returns the error for a bundle that is neither installed nor offered, with the identifiers that a word may stand for.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`, and the errors of the registry.
    public func unknown(_ word: String) throws(AtriumError) -> AtriumError {
        let known = Set(try localIdentifiers()).union(try registry.active.identifiers())
        return AtriumError(.bundleUnknown, word, nearest: Nearest.identifiers(to: word, in: known.sorted()))
    }

    /// Returns the identifiers of the bundles in the catalog in alphabetical order; none for a catalog on a server.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    public func localIdentifiers() throws(AtriumError) -> [BundleIdentifier] { try catalog.localIdentifiers() }

    /// Returns whether a bundle is neither installed nor offered.
    ///
    /// - Returns: `false` for an unreachable catalog.
    public func isAbsent(_ identifier: BundleIdentifier) throws(AtriumError) -> Bool {
        guard try registry.active.bundle(identifier) == nil else { return false }
        return (try? catalog.versions(of: identifier))?.isEmpty == true
    }
}

/// The search in the offers of a source, for a sandbox.
struct OfferSearch: Sendable {
    let source: any PackageSource
    let planner: ChangePlanner
    let names: ReservedNames

    /// The offers that are known now.
    var known: OfferedVersions { OfferedVersions(planner: planner, names: names, catalog: source.known) }

    /// Returns what a search finds, as ``PackageSource/search(_:)``.
    func callAsFunction<Found>(_ search: (OfferedVersions) throws -> Found) async throws -> Found {
        try await source.search { try search(OfferedVersions(planner: planner, names: names, catalog: $0)) }
    }
}
