import BundleFormat
public import Registry
import Trust
import HostSystem
import Resolver
public import PluginCore
internal import PluginRouter
internal import Synchronization

extension BundleManager {
    /// Installs a bundle and its requirements from the catalog, and makes it active.
    ///
    /// - Parameters:
    ///   - identifier: the bundle.
    ///   - version: the version; `nil` for the newest compatible one. A version below the active one, or below one that has run
    ///     successfully, is rejected.
    /// - Returns: the result for the bundle; ``change(_:offering:staging:)`` also returns those of its requirements.
    /// - Throws: as ``change(_:offering:staging:)``.
    @discardableResult
    public func install(_ identifier: String, version: SemanticVersion? = nil) async throws -> InstallReport {
        try Self.report(of: identifier, in: try await change([.install(identifier, version)]))
    }

    /// Installs a package file; its requirements come from the catalog.
    ///
    /// - Returns: the results for its bundle and all others that changed.
    /// - Throws: as ``change(_:offering:staging:)``.
    @discardableResult
    public func install(packageAt path: FilePath) async throws -> [InstallReport] {
        let package = try PackageFile(path: path).offered(converters: converters)
        let identity = package.manifest.identity
        return try await change([.install(identity.identifier, identity.version)], offering: [package])
    }

    /// Updates an installed bundle to the newest compatible version.
    ///
    /// - Throws: as ``change(_:offering:staging:)``, and `bundleNotInstalled`.
    @discardableResult
    public func update(_ identifier: String) async throws -> InstallReport {
        try Self.report(of: identifier, in: try await change([.update(identifier)]))
    }

    /// Fulfills install requests atomically, together with the changes that they require.
    ///
    /// A requested active version is repaired if its files differ from the seal or its signer is no longer trusted. So is a
    /// rollback target that is requested by its version, without becoming active. When the active version is requested
    /// explicitly, a version staged to replace it is unstaged.
    ///
    /// - Parameters:
    ///   - requests: the bundles to install and to update.
    ///   - packages: packages offered in addition to the catalog's.
    ///   - isStaged: whether the new versions become active only when a host starts next.
    ///
    /// - Returns: the results for the requested bundles in their order, and then for all others that changed.
    /// - Throws: ``AtriumError`` with code `bundleUnknown`, `bundleNotInstalled`, `versionUnknown`, `packageInvalid`,
    ///   `manifestInvalid`, `unsigned`, `sealBroken`, `signatureInvalid`, `teamUnknown`, `teamForeign`, `keyRetired`,
    ///   `keyRevoked`, `libraryMissing`, `libraryIncompatible`, `requirementUnmet`, `dependencyConflict`, `routeConflict`,
    ///   `targetConflict`, `serviceConflict`, `downgrade`, `versionReused`, `quarantined`, `storageFull`, `sandboxBusy`,
    ///   `sandboxUnwritable`, `catalogUnreachable`, `inputOutput`, `registryDamaged`. The sandbox is unchanged then.
    @discardableResult
    public func change(
        _ requests: [InstallRequest], offering packages: [CatalogPackage] = [], staging isStaged: Bool = false
    ) async throws -> [InstallReport] {
        try await change(requests, offering: packages, staging: isStaged, because: .requested, for: nil)
    }

    /// Fulfills install requests for a given reason, and for an on-demand install if it has a name.
    ///
    /// - Parameter reason: the reason why the bundles are installed.
    func change(
        _ requests: [InstallRequest], offering packages: [CatalogPackage] = [], staging isStaged: Bool = false,
        because reason: InstallReason, for request: String? = nil
    ) async throws -> [InstallReport] {
        let requests = requests.reduce(into: [InstallRequest]()) { if !$0.contains($1) { $0.append($1) } }
        let order = requests.map(\.identifier)
        // Impossible requests fail here, before anything is created or locked.
        let (kept, others) = try partition(requests)
        let named = reason == .requested ? requests.namedVersions : []
        let plan = try plan(others, packages, staging: isStaged, naming: named)
        try requireUse(of: plan, for: others)
        if plan.isEmpty, kept.isEmpty, try damaged(among: requests).isEmpty,
            try isStaged || staged(against: requests).isEmpty
        {
            // Repeat copies that an interruption may have prevented.
            for identifier in requests.map(\.identifier) {
                guard let minimumVersion = try registry.minimumVersions.version(of: identifier) else { continue }
                registry.minimumVersions.mirror([BundleIdentity(identifier: identifier, version: minimumVersion)])
            }
            if reason == .requested { try registry.recordRequest(of: requests.installs) }
            let reports = try unchanged(requests, packages, staging: isStaged)
            // Otherwise a bundle was removed after planning.
            if reports.count == requests.count { return noting(plan.skippedVersions, in: reports) }
        }
        let reports = try await exclusively {
            let offers = self.offers(packages)
            let (kept, requests) = try self.partition(requests)
            var repaired: [PluginBundle] = []
            while true {
                // Another caller may have made the same change while this one waited for the lock.
                let plan = try self.plan(
                    requests, packages, from: offers, staging: isStaged, naming: named)
                try self.requireUse(of: plan, for: requests)
                let moving = Set(plan.steps.map(\.identifier))
                let before = try self.registry.active.versions(of: plan.steps.map(\.identifier))
                // Requests for unchanged bundles may fail too, which must happen before the commit.
                let requested = requests.filter { !moving.contains($0.identifier) }
                if reason == .requested { try self.registry.recordRequest(of: requested.installs) }
                let staying = try self.unchanged(requested, packages, staging: isStaged)
                var arrivals: [SealedPackage] = []
                for identity in plan.steps.compactMap(\.arrival) { arrivals.append(try offers.package(identity)) }
                for bundle in try kept + self.damaged(among: requested) where !repaired.contains(bundle) {
                    repaired.append(try self.repair(bundle, packages))
                }
                var bundles: [PluginBundle] = []
                do throws(AtriumError) {
                    if !arrivals.isEmpty {
                        bundles = try self.installer.install(
                            arrivals, for: isStaged ? .stage : .activate, by: request,
                            because: Dictionary(requests.installs.map { ($0, reason) }) { $1 },
                            with: isStaged ? self.stagedVersions() : [],
                            permitting: self.requireFree)
                    }
                } catch {
                    guard offers.leaveOut(arrivals, for: error, but: requests.map { $0.resolverRequest }) else {
                        throw error
                    }
                    continue
                }
                var reports: [String: InstallReport] = [:]
                for bundle in bundles {
                    let identifier = bundle.identity.identifier
                    reports[identifier] = InstallReport(bundle: bundle, before: before[identifier], isStaged: isStaged)
                }
                if !isStaged { await self.replace(by: bundles) }
                let unstaged = try isStaged ? [] : self.staged(against: requested)
                if !unstaged.isEmpty { try self.unstage(unstaged) }
                for var report in staying + kept.map({ InstallReport(bundle: $0, before: $0) }) {
                    if let anew = repaired.first(where: { $0 == report.bundle }) {
                        report = InstallReport(bundle: anew, before: report.before, isRepaired: true)
                    }
                    report.unstaged = unstaged.first {
                        $0.identity.identifier == report.bundle.identity.identifier
                    }
                    reports[report.bundle.identity.identifier] = report
                }
                return self.noting(
                    plan.skippedVersions,
                    in: (order + plan.steps.map(\.identifier)).compactMap { reports.removeValue(forKey: $0) })
            }
        }
        for report in reports where report.isChange { await ended(report.bundle.identity.identifier) }
        return reports
    }

    /// Checks that each request has an effect, or that its having none isn't caused by invalid packages alone.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable` when newer versions may exist in an unreachable catalog, and
    ///   the error of the newest package.
    private nonisolated func requireUse(
        of plan: ResolvedChange, for requests: [InstallRequest]
    ) throws(AtriumError) {
        let moving = Set(plan.steps.map(\.identifier))
        let staying = requests.filter { !moving.contains($0.identifier) }
        if staying.contains(where: \.isUpdate) { try catalog.requireReachable() }
        for request in staying where request.needsPackage {
            let skippedVersions = plan.skippedVersions.first { $0.identity.identifier == request.identifier }
            if let skippedVersions { throw skippedVersions.error }
        }
    }

    /// Adds skipped versions to the log and to the reports.
    private nonisolated func noting(_ skippedVersions: [SkippedVersion], in reports: [InstallReport]) -> [InstallReport]
    {
        for version in skippedVersions {
            services.log(
                version.identity.identifier, .error, "\(version.identity.version) is skipped: \(version.error)")
        }
        return reports.map { report in
            var report = report
            report.skippedVersions = skippedVersions.filter {
                $0.identity.identifier == report.bundle.identity.identifier
            }
            return report
        }
    }

    /// Plans an update of some bundles without making it.
    ///
    /// - Parameters:
    ///   - isStaged: whether the plan is for the versions at the next start of a host.
    ///   - named: the versions that a user has requested explicitly, whatever was rolled back.
    /// - Throws: as ``change(_:offering:staging:)``.
    nonisolated func plan(
        _ requests: [InstallRequest], _ packages: [CatalogPackage] = [], staging isStaged: Bool = false,
        naming named: Set<BundleIdentity> = []
    ) throws(AtriumError) -> ResolvedChange {
        try plan(requests, packages, from: offers(packages), staging: isStaged, naming: named)
    }

    private nonisolated func offers(_ packages: [CatalogPackage]) -> SealedOffers {
        SealedOffers(CatalogOffers(catalog: catalog, registry: registry, packages: packages.map(\.manifest))) {
            identity throws(AtriumError) in try self.sealed(identity, packages)
        }
    }

    private nonisolated func plan(
        _ requests: [InstallRequest], _ packages: [CatalogPackage], from offers: SealedOffers, staging isStaged: Bool,
        naming named: Set<BundleIdentity>
    ) throws(AtriumError) -> ResolvedChange {
        let sandbox: any ResolverSandbox =
            isStaged ? try StagedSandbox(registry: registry) : RegistrySandbox(registry: registry)
        let resolver = Resolver(
            sandbox: sandbox, offers: offers, blockRule: try blockRule(offering: packages, naming: named))
        do throws(AtriumError) {
            return try resolver.plan(requests.map { $0.resolverRequest })
        } catch  where error.code == .bundleUnknown && error.nearest.isEmpty {
            let known = Set(try catalog.listing().packages.map(\.manifest.identity.identifier)).sorted()
            throw AtriumError(
                .bundleUnknown, error.subject, nearest: Nearest.identifiers(to: error.subject, in: known))
        } catch  where isStaged && error.code == .downgrade {
            let staged = try registry.staged.all().first { error.detail == "\($0.identity.version) is active" }
            throw staged.map {
                AtriumError(.downgrade, error.subject, detail: "\($0.identity.version) is staged")
            } ?? error
        }
    }

    /// Opens a package and verifies its signer.
    nonisolated func sealed(
        _ identity: BundleIdentity, _ packages: [CatalogPackage], for purpose: TrustStore.Purpose = .install
    ) throws(AtriumError) -> SealedPackage {
        let path: FilePath
        if let offered = packages.first(where: { $0.manifest.identity == identity }) {
            path = offered.path
        } else {
            path = try catalog.package(identity).path
        }
        let package = try SealedPackage(opening: path, converters: converters)
        guard package.manifest.identity == identity else {
            throw AtriumError(.packageInvalid, path.lastComponent, detail: "it changed while it was read")
        }
        try package.manifest.requireCore()
        try package.verify(by: .trust(try trustPolicy.store(), purpose, at: Clock.now()))
        return package
    }

    /// Returns the versions staged to replace active versions that are explicitly requested and therefore should stay.
    private nonisolated func staged(against requests: [InstallRequest]) throws(AtriumError) -> [PluginBundle] {
        var found: [PluginBundle] = []
        for case .install(let identifier, let version?) in requests {
            guard let staged = try registry.staged.version(of: identifier),
                try registry.active.version(of: identifier)?.identity.version == version
            else { continue }
            found.append(staged)
        }
        return found
    }

    /// Returns the results for requests that are fulfilled already.
    private nonisolated func unchanged(
        _ requests: [InstallRequest], _ packages: [CatalogPackage], staging isStaged: Bool
    ) throws(AtriumError) -> [InstallReport] {
        var reports: [InstallReport] = []
        for request in requests {
            if isStaged, let staged = try registry.staged.version(of: request.identifier) {
                if case .install = request { try checkOrigin(of: staged, packages) }
                reports.append(InstallReport(bundle: staged, before: staged, isStaged: true))
                continue
            }
            guard let active = try registry.active.version(of: request.identifier) else { continue }
            if case .install = request { try checkOrigin(of: active, packages) }
            reports.append(InstallReport(bundle: active, before: active))
        }
        return reports
    }

    nonisolated func checkOrigin(of bundle: PluginBundle, _ packages: [CatalogPackage]) throws(AtriumError) {
        let path: FilePath
        if let package = packages.first(where: { $0.manifest.identity == bundle.identity }) {
            path = package.path
        } else {
            guard try catalog.versions(of: bundle.identity.identifier).contains(bundle.identity.version) else { return }
            path = try catalog.package(bundle.identity).path
        }
        try bundle.requireSame(PackageFile(path: path).sealDigest())
    }

    private static func report(of identifier: String, in reports: [InstallReport]) throws(AtriumError) -> InstallReport
    {
        guard let report = reports.first(where: { $0.bundle.identity.identifier == identifier }) else {
            throw AtriumError(.bundleNotInstalled, identifier)
        }
        return report
    }
}

extension BundleManager {
    /// Returns an installed bundle.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled` and similar identifiers.
    public nonisolated func requireInstalled(_ identifier: String) throws(AtriumError) -> InstalledBundle {
        if let installed = try registry.active.bundle(identifier) { return installed }
        let staged = try registry.staged.version(of: identifier).map { "\($0.identity.version) is staged" }
        throw AtriumError(
            .bundleNotInstalled, identifier, detail: staged ?? "",
            nearest: Nearest.identifiers(to: identifier, in: try registry.active.identifiers())
        )
    }

    /// Checks that a manifest doesn't conflict with routes of running code or the app, or with targets and services of the host.
    ///
    /// The registry doesn't know these, so they are checked in the same critical section in which the registry is changed.
    nonisolated func requireFree(_ manifest: Manifest) throws(AtriumError) {
        try registrationStore.requireFree(manifest, besides: rules.withLock { $0 }, converters: converters)
        let identifier = manifest.identity.identifier
        for target in manifest.targets where services.targets.contains(where: { $0.name == target.name }) {
            throw .taken(.targetConflict, target.name, of: identifier, by: "the host")
        }
        for service in manifest.services where services.provided.contains(where: { $0.name == service }) {
            throw .taken(.serviceConflict, service, of: identifier, by: "the host")
        }
    }

    /// Runs a closure that changes the sandbox, excluding all other hosts and all other calls in this one.
    ///
    /// - Parameter mends: whether the closure may run although the registry is lost.
    func exclusively<R: Sendable>(
        mending mends: Bool = false, _ body: @Sendable () async throws -> R
    ) async throws -> R {
        hasChanged = true
        // The rollback targets depend on which versions have run successfully.
        crashMonitor.trials.recordUsedVersions()
        records.write()
        return try await sandboxMutex.withLock {
            try await self.whileAlone {
                if !mends {
                    try self.registry.requireKept()
                    self.finishErasing()
                }
                return try await body()
            }
        }
    }
}
