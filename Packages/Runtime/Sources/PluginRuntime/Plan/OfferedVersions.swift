package import BundleFormat
public import Registry
import HostSystem
public import PluginCore
public import PluginRouter

/// The versions that a catalog offers to a sandbox, and the reasons why some of them can't be installed.
public struct OfferedVersions: Sendable {
    let planner: ChangePlanner
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
    func blockRule() throws(AtriumError) -> VersionQuestion.BlockRule {
        try planner.versionPolicy.blockRule(in: catalog)
    }

    /// Returns the update status of some installed bundles, or of all.
    ///
    /// An unreachable catalog is reported in the results.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, and the errors of the registry.
    public func updateReports(of identifiers: [BundleIdentifier] = []) throws(AtriumError) -> [UpdateReport] {
        var installed: [InstalledBundle] = []
        for identifier in identifiers { installed.append(try registry.requireInstalled(identifier)) }
        if identifiers.isEmpty { installed = try registry.active.all() }
        var updateReports: [UpdateReport] = []
        let pins = Dictionary(try registry.pins.all().map { ($0.identifier, $0) }) { $1 }
        for bundle in installed {
            var updateReport = try updateReport(of: bundle.active)
            updateReport.pin = pins[bundle.active.identity.identifier]
            updateReports.append(updateReport)
        }
        return updateReports
    }

    private func updateReport(of active: PluginBundle) throws(AtriumError) -> UpdateReport {
        let identifier = active.identity.identifier
        var reachable: SemanticVersion?
        do throws(AtriumError) {
            let all = try catalog.versions(of: identifier)
            let offered = all.filter { $0.isForAnybody(after: active.identity.version, among: all) }
            let newer = offered.filter { $0 > active.identity.version }
            let updateCandidates = try updateCandidates(of: identifier, among: newer)
            reachable = updateCandidates.reachable
            try catalog.requireReachable()
            return UpdateReport(
                active: active, reachable: reachable ?? active.identity.version, newest: offered.first,
                obstacle: newer.isEmpty ? try otherContent(of: active) : updateCandidates.refusals.first)
        } catch {
            guard error.code == .catalogUnreachable else { throw error }
            return UpdateReport(active: active, reachable: reachable, newest: nil, obstacle: error)
        }
    }

    /// Returns the reason why an offered version can't be installed according to its manifest, even if other bundles change with it.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func refusal(of identity: BundleIdentity) throws(AtriumError) -> AtriumError? {
        let refusal: AtriumError?
        do throws(AtriumError) {
            refusal = self.refusal(of: try catalog.package(identity).manifest)
        } catch {
            refusal = error
        }
        if let refusal, refusal.code == .catalogUnreachable { throw refusal }
        return refusal
    }

    /// Returns an error if the catalog has different content under the installed version.
    ///
    /// Such content is never installed: a version number identifies exactly one content while it is installed.
    ///
    /// - Returns: an error with code `versionReused`, or `nil`, also for a package that can't be read.
    public func otherContent(of bundle: PluginBundle) throws(AtriumError) -> AtriumError? {
        do throws(AtriumError) {
            try planner.checkOrigin(of: bundle, in: catalog)
            return nil
        } catch {
            if error.isEnvironmental, error.code != .catalogUnreachable { throw error }
            return error.code == .versionReused ? error : nil
        }
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

    /// Returns a function that returns the reason why a package of the catalog is blocked, independently of other installed bundles.
    ///
    /// Reasons are: its content crashed or hung a host, a newer version has run here, a pin excludes it, it was built for
    /// another ABI of Core, or the catalog says that it is for other platforms.
    ///
    /// - Throws: the errors of the registry, as does the returned function.
    public func packageBlockRule() throws(AtriumError) -> (CatalogPackage) throws(AtriumError) -> AtriumError? {
        let blockReason = try blockRule()
        return { package throws(AtriumError) in
            if let reason = try blockReason(package.manifest.identity) { return reason }
            do throws(AtriumError) {
                try package.manifest.requireCore()
                try package.requirePlatform()
                return nil
            } catch {
                return error
            }
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

/// The results of examining offered versions that are newer than the current one.
struct UpdateCandidates {
    /// The newest installable version, according to the manifests.
    var reachable: SemanticVersion?
    /// The reasons why the newest versions above it aren't installable, newest first.
    var refusals: [AtriumError] = []
    /// The number of further versions above it that aren't installable.
    var others = 0
}

extension OfferedVersions {
    /// The number of versions that are examined individually.
    private static var looks: Int { 4 }

    /// Finds the newest installable version.
    ///
    /// Only the newest few versions are examined individually. For the others, a single plan finds the installable version, so
    /// that a catalog of a thousand versions isn't planned a thousand times.
    ///
    /// - Parameter newer: the versions to examine, newest first.
    /// - Throws: ``AtriumError`` with code `catalogUnreachable`.
    func updateCandidates(of identifier: BundleIdentifier, among newer: [SemanticVersion]) throws(AtriumError)
        -> UpdateCandidates
    {
        var updateCandidates = UpdateCandidates()
        for version in newer.prefix(Self.looks) {
            guard let refusal = try refusal(of: BundleIdentity(identifier: identifier, version: version)) else {
                updateCandidates.reachable = version
                return updateCandidates
            }
            updateCandidates.refusals.append(refusal)
        }
        let rest = newer.dropFirst(Self.looks)
        let isInstalled = try registry.active.version(of: identifier) != nil
        let change = rest.isEmpty ? nil : try? plan([isInstalled ? .update(identifier) : .install(identifier)])
        if let version = change?.steps.first(where: { $0.identifier == identifier })?.to, rest.contains(version),
            try refusal(of: BundleIdentity(identifier: identifier, version: version)) == nil
        {
            updateCandidates.reachable = version
        }
        updateCandidates.others = rest.count { version in updateCandidates.reachable.map { version > $0 } ?? true }
        return updateCandidates
    }
}

/// The update status of an installed bundle.
public struct UpdateReport: Sendable {
    /// The active version.
    public let active: PluginBundle
    /// The newest version to which the bundle can be updated, according to the manifests that could be read.
    ///
    /// The active version if there is none above it; `nil` if that is unknown.
    public let reachable: SemanticVersion?
    /// The newest offered version, installable or not; `nil` if there is none or it is unknown.
    public let newest: SemanticVersion?
    /// The reason why the bundle can't be updated to the newest version, or why that version is unknown.
    public let obstacle: AtriumError?
    /// The pin of the bundle; `nil` if it has none.
    public var pin: VersionPin?

    /// A Boolean value that indicates whether an update would bring something newer.
    public var isOutdated: Bool { reachable.map { $0 > active.identity.version } ?? false }

    /// A Boolean value that indicates whether all offers could be read.
    public var isKnown: Bool { obstacle?.code != .catalogUnreachable }
}
