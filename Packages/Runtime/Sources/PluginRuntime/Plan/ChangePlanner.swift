package import BundleFormat
public import Registry
import HostSystem
package import PluginCatalog
package import Resolver
public import PluginCore
import Tracing
package import PluginRouter

/// The planner of changes: which versions have to change together, from which packages.
///
/// It reads the registry and the catalog, and changes nothing.
package struct ChangePlanner: Sendable {
    let registry: Registry
    let catalog: any Catalog
    package let verification: any PackageVerification
    package let converters: RouteConverters
    let admission: [any Admission]

    var versionPolicy: VersionPolicy { VersionPolicy(registry: registry, catalog: catalog, admission: admission) }

    /// Plans an install or update of some bundles from the catalog without making it.
    ///
    /// - Throws: as ``InstallTransaction/run(_:offering:staging:)``.
    package func plan(_ requests: [InstallRequest]) throws(AtriumError) -> ResolvedChange {
        try plan(requests, [], from: offers([]))
    }

    /// Plans an install or update of some bundles without making it.
    ///
    /// - Parameters:
    ///   - packages: packages offered in addition to the catalog's.
    ///   - offers: the offers of the catalog and the packages.
    ///   - isStaged: whether the plan is for the versions at the next start of a host.
    ///   - named: the versions that a user has requested explicitly, whatever was rolled back.
    ///   - failed: the bundles that stay as they are, because a package of theirs could not be downloaded.
    ///   - lock: the lock of the app, which allows only the versions that it names.
    /// - Throws: as ``InstallTransaction/run(_:offering:staging:)``.
    func plan(
        _ requests: [InstallRequest], _ packages: [CatalogPackage], from offers: SealedOffers,
        staging isStaged: Bool = false, naming named: Set<BundleIdentity> = [],
        without failed: [BundleIdentifier: AtriumError] = [:], within lock: AppLock? = nil
    ) throws(AtriumError) -> ResolvedChange {
        let interval = Tracing.begin(.resolve, requests.map { "\($0.identifier)" }.joined(separator: " "))
        defer { interval?.end() }
        let sandbox: any ResolverSandbox =
            isStaged ? try StagedSandbox(registry: registry) : RegistrySandbox(registry: registry)
        let blockRule = try versionPolicy.blockRule(offering: packages, naming: named)
        let resolver = Resolver(sandbox: sandbox, offers: offers) { identity throws(AtriumError) in
            if let failure = failed[identity.identifier] { return failure }
            if let refusal = lock?.refusal(of: identity) { return refusal }
            return try blockRule(identity)
        }
        do throws(AtriumError) {
            let change = try resolver.plan(requests.map { $0.resolverRequest })
            try lock?.requireAll(change.steps.compactMap(\.arrival))
            return change
        } catch  where error.code == .bundleUnknown && error.nearest.isEmpty {
            throw AtriumError(
                .bundleUnknown, error.subject,
                nearest: Nearest.identifiers(to: error.subject, in: try catalog.localIdentifiers()))
        } catch  where isStaged && error.code == .downgrade {
            // The resolver takes a staged version for active.
            let staged = try registry.staged.all().first { error.reason == .versionActive($0.identity.version) }
            throw staged.map {
                AtriumError(.downgrade, error.subject, reason: .versionStaged($0.identity.version))
            } ?? error
        }
    }

    /// Returns the offers of the catalog and some packages, of which only those of trusted teams count.
    ///
    /// - Parameter lock: the lock of the app, with whose contents the packages must agree.
    func offers(_ packages: [CatalogPackage], within lock: AppLock? = nil) -> SealedOffers {
        SealedOffers(
            CatalogOffers(catalog: catalog, registry: registry, packages: packages.map(\.manifest)), within: lock,
            find: { identity throws(AtriumError) in try offered(identity, packages) },
            open: { identity throws(AtriumError) in try sealed(identity, packages) })
    }

    /// Opens a package and verifies its signer.
    package func sealed(
        _ identity: BundleIdentity, _ packages: [CatalogPackage], for purpose: VerificationPurpose = .install
    ) throws(AtriumError) -> SealedPackage {
        let offered = try offered(identity, packages)
        if offered.download != nil { throw AtriumError(.packageNotDownloaded, identity.description) }
        let path = offered.path
        let package = try SealedPackage(opening: path, converters: converters)
        guard package.manifest.identity == identity else {
            throw AtriumError(.packageInvalid, path.lastComponent, reason: "changedWhileRead")
        }
        try package.manifest.requireCore()
        try package.requirePlatform()
        try package.verify(by: verification.signatures(for: purpose))
        return package
    }

    /// Returns a package of some packages, or else of the catalog.
    func offered(_ identity: BundleIdentity, _ packages: [CatalogPackage]) throws(AtriumError) -> CatalogPackage {
        if let offered = packages.first(where: { $0.manifest.identity == identity }) { return offered }
        return try catalog.package(identity)
    }

    /// Checks that the package of an installed version, if there is one, has the installed content.
    ///
    /// - Throws: ``AtriumError`` with code `versionReused`, and the errors of the package.
    func checkOrigin(of bundle: PluginBundle, _ packages: [CatalogPackage] = []) throws(AtriumError) {
        if !packages.contains(where: { $0.manifest.identity == bundle.identity }) {
            guard try catalog.versions(of: bundle.identity.identifier).contains(bundle.identity.version) else { return }
        }
        try bundle.requireSame(offered(bundle.identity, packages).sealDigest())
    }

    /// The resolver of changes among the installed and kept versions, which need no catalog.
    var resolver: Resolver {
        Resolver(sandbox: RegistrySandbox(registry: registry), offers: KeptOffers(registry: registry))
    }

    /// Checks that versions of the sandbox can become active without any other change. No catalog is asked.
    ///
    /// - Throws: as ``Resolver/plan(_:)``, and ``AtriumError`` with code `dependencyConflict` for another change that would be needed.
    func requireNothingElse(
        for versions: [PlacedVersion], unless blockRule: @escaping Resolver.BlockRule
    ) throws(AtriumError) {
        let together = Resolver(
            sandbox: RegistrySandbox(registry: registry),
            offers: KeptOffers(registry: registry, coming: versions.map(\.manifest)), blockRule: blockRule)
        try together.requireNothingElse(
            for: versions.map { .install($0.bundle.identity.identifier, $0.bundle.identity.version) })
    }
}

extension Registry {
    /// Returns an installed bundle.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled` and similar identifiers.
    public func requireInstalled(_ identifier: BundleIdentifier) throws(AtriumError) -> InstalledBundle {
        if let installed = try active.bundle(identifier) { return installed }
        let staged = try staged.version(of: identifier)
        throw AtriumError(
            .bundleNotInstalled, identifier, reason: staged.map { .versionStaged($0.identity.version) },
            nearest: Nearest.identifiers(to: identifier.text, in: try active.identifiers())
        )
    }

    /// Returns a version of the registry with its manifest.
    func placed(_ bundle: PluginBundle) throws(AtriumError) -> PlacedVersion {
        let (manifest, source) = try versions.source(of: bundle)
        return PlacedVersion(bundle: bundle, manifest: manifest, source: source)
    }
}

extension Resolver {
    /// Checks that requests can be fulfilled without any other change.
    ///
    /// - Throws: as ``plan(_:)``, and ``AtriumError`` with code `dependencyConflict` for another change that would be needed.
    func requireNothingElse(for requests: [ResolverRequest]) throws(AtriumError) {
        let steps = try plan(requests).steps
        let moved = steps.first { step in !requests.contains { $0.identifier == step.identifier } }
        guard let moved else { return }
        let change =
            moved.arrival.map { ErrorReason("installNeeded", ["bundle": "\($0)"]) }
            ?? ErrorReason("removalNeeded", ["bundle": .text(moved.identifier)])
        throw AtriumError(.dependencyConflict, requests.map(\.subject).joined(separator: ", "), reason: change)
    }
}

extension ErrorReason {
    fileprivate static func versionStaged(_ version: SemanticVersion) -> ErrorReason {
        ErrorReason("versionStaged", ["version": "\(version)"])
    }
}
