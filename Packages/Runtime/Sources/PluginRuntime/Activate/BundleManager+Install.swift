public import PluginCore
internal import PluginRouter
internal import Synchronization

extension BundleManager {
    /// Installs a bundle from the catalog and makes it active, with what it requires.
    ///
    /// - Parameters:
    ///   - identifier: which bundle.
    ///   - version: which version; `nil` for the newest that goes together with what is installed. Below the active one, or
    ///     below one that has run here, it is refused.
    /// - Returns: what became of the bundle; ``change(_:offering:staging:)`` tells of what came with it too.
    /// - Throws: as ``change(_:offering:staging:)``.
    @discardableResult
    public func install(_ identifier: String, version: SemanticVersion? = nil) async throws -> InstallReport {
        try Self.report(of: identifier, in: try await change([.install(identifier, version)]))
    }

    /// Installs a package that lies anywhere; what it requires comes from the catalog.
    ///
    /// - Returns: what became of its bundle and of each that moved with it.
    /// - Throws: as ``change(_:offering:staging:)``.
    @discardableResult
    public func install(packageAt path: FilePath) async throws -> [InstallReport] {
        let package = try PackageFile(path: path).offered(converters: converters)
        let identity = package.manifest.identity
        return try await change([.install(identity.identifier, identity.version)], offering: [package])
    }

    /// Brings an installed bundle to the newest version that goes together with the others.
    ///
    /// - Throws: as ``change(_:offering:staging:)``, and `bundleNotInstalled`.
    @discardableResult
    public func update(_ identifier: String) async throws -> InstallReport {
        try Self.report(of: identifier, in: try await change([.update(identifier)]))
    }

    /// Makes wishes come true in one step, all of them or none: what they require comes or moves with them.
    ///
    /// An active version that is wished and is not as it was sealed, or whose signer is not believed any more, is put in its place
    /// anew, and so is the version to go back to when it is wished by its version; that does not make it active. When the active
    /// one is wished by its version, what is staged to take its place is staged no more.
    ///
    /// - Parameters:
    ///   - wishes: bundles to install and to update.
    ///   - packages: what is offered besides the catalog.
    ///   - isStaged: whether the new versions become active only when a host starts next.
    ///
    /// - Returns: what became of each bundle that was wished, in that order, and then of each that moved with them.
    /// - Throws: ``AtriumError`` with code `bundleUnknown`, `bundleNotInstalled`, `versionUnknown`, `packageInvalid`,
    ///   `manifestInvalid`, `unsigned`, `sealBroken`, `signatureInvalid`, `teamUnknown`, `teamForeign`, `keyRetired`,
    ///   `keyRevoked`, `libraryMissing`, `libraryIncompatible`, `requirementUnmet`, `dependencyConflict`, `routeConflict`,
    ///   `targetConflict`, `serviceConflict`, `downgrade`, `versionReused`, `quarantined`, `storageFull`, `sandboxBusy`,
    ///   `sandboxUnwritable`, `catalogUnreachable`, `inputOutput`, `registryDamaged`. The sandbox is then as it was.
    @discardableResult
    public func change(
        _ wishes: [BundleWish], offering packages: [CatalogPackage] = [], staging isStaged: Bool = false
    ) async throws -> [InstallReport] {
        try await change(wishes, offering: packages, staging: isStaged, because: .requested, for: nil)
    }

    /// The same for a request that needs what it brings, and has a name of its own; nobody has asked for it then.
    ///
    /// - Parameter reason: why the bundles come that are to be installed.
    func change(
        _ wishes: [BundleWish], offering packages: [CatalogPackage] = [], staging isStaged: Bool = false,
        because reason: InstallReason, for request: String? = nil
    ) async throws -> [InstallReport] {
        let wishes = wishes.reduce(into: [BundleWish]()) { if !$0.contains($1) { $0.append($1) } }
        let order = wishes.map(\.identifier)
        // What cannot be done is found out before anything is made or locked.
        let (kept, others) = try apart(wishes)
        let named = reason == .requested ? wishes.namedVersions : []
        let plan = try plan(others, packages, staging: isStaged, naming: named)
        try requireUse(of: plan, for: others)
        if plan.isEmpty, kept.isEmpty, try damaged(among: wishes).isEmpty,
            try isStaged || staged(against: wishes).isEmpty
        {
            // What an interruption kept from being written once more.
            for identifier in wishes.map(\.identifier) {
                guard let floor = try registry.floor(of: identifier) else { continue }
                registry.mirror(floorsOf: [BundleIdentity(identifier: identifier, version: floor)])
            }
            if reason == .requested { try registry.want(wishes.installs) }
            let reports = try unchanged(wishes, packages, staging: isStaged)
            // Otherwise one has gone since the plan was made.
            if reports.count == wishes.count { return noting(plan.passedOver, in: reports) }
        }
        let reports = try await exclusively {
            let offers = self.offers(packages)
            let (kept, wishes) = try self.apart(wishes)
            var repaired: [PluginBundle] = []
            while true {
                // Whoever changed the sandbox while this call waited for its turn may have done the same.
                let plan = try self.plan(
                    wishes, packages, from: offers, staging: isStaged, naming: named)
                try self.requireUse(of: plan, for: wishes)
                let moving = Set(plan.steps.map(\.identifier))
                let before = try self.registry.active(among: plan.steps.map(\.identifier))
                // Of these too, some may have to be refused: after the switch it would be too late.
                let wished = wishes.filter { !moving.contains($0.identifier) }
                if reason == .requested { try self.registry.want(wished.installs) }
                let staying = try self.unchanged(wished, packages, staging: isStaged)
                var arrivals: [SealedPackage] = []
                for identity in plan.steps.compactMap(\.arrival) { arrivals.append(try offers.package(identity)) }
                for bundle in try kept + self.damaged(among: wished) where !repaired.contains(bundle) {
                    repaired.append(try self.repair(bundle, packages))
                }
                var bundles: [PluginBundle] = []
                do throws(AtriumError) {
                    if !arrivals.isEmpty {
                        bundles = try self.installer.install(
                            arrivals, for: isStaged ? .stage : .activate, by: request,
                            because: Dictionary(wishes.installs.map { ($0, reason) }) { $1 },
                            with: isStaged ? self.stagedVersions() : [],
                            permitting: self.requireFree)
                    }
                } catch {
                    guard offers.leaveOut(arrivals, for: error, but: wishes.map { $0.wish }) else { throw error }
                    continue
                }
                var reports: [String: InstallReport] = [:]
                for bundle in bundles {
                    let identifier = bundle.identity.identifier
                    reports[identifier] = InstallReport(bundle: bundle, before: before[identifier], isStaged: isStaged)
                }
                if !isStaged { await self.replace(by: bundles) }
                let unstaged = try isStaged ? [] : self.staged(against: wished)
                if !unstaged.isEmpty { try self.drop(unstaged) }
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
                    plan.passedOver,
                    in: (order + plan.steps.map(\.identifier)).compactMap { reports.removeValue(forKey: $0) })
            }
        }
        for report in reports where report.isChange { await ended(report.bundle.identity.identifier) }
        return reports
    }

    /// Returns whether something comes of each wish, or nothing for a reason that is known and not the fault of packages alone.
    ///
    /// - Throws: ``AtriumError`` with code `catalogUnreachable` when nobody can know that a bundle is as new as can be; and what is
    ///   wrong with the newest package.
    private nonisolated func requireUse(
        of plan: ResolvedChange, for wishes: [BundleWish]
    ) throws(AtriumError) {
        let moving = Set(plan.steps.map(\.identifier))
        let staying = wishes.filter { !moving.contains($0.identifier) }
        if staying.contains(where: \.isUpdate) { try catalog.requireReachable() }
        for wish in staying where wish.needsPackage {
            let passedOver = plan.passedOver.first { $0.identity.identifier == wish.identifier }
            if let passedOver { throw passedOver.error }
        }
    }

    /// Tells of versions that were passed over, in the log and in the reports.
    private nonisolated func noting(_ passedOver: [PassedOver], in reports: [InstallReport]) -> [InstallReport] {
        for version in passedOver {
            services.log(
                version.identity.identifier, .error, "\(version.identity.version) is passed over: \(version.error)")
        }
        return reports.map { report in
            var report = report
            report.passedOver = passedOver.filter {
                $0.identity.identifier == report.bundle.identity.identifier
            }
            return report
        }
    }

    /// What an update of all that is installed, or of some, would do, without doing it.
    ///
    /// - Parameters:
    ///   - isStaged: whether it is to be done to what there is when a host starts next.
    ///   - named: the versions that the user asks for by name, whatever was rolled back.
    /// - Throws: as ``change(_:offering:staging:)``.
    nonisolated func plan(
        _ wishes: [BundleWish], _ packages: [CatalogPackage] = [], staging isStaged: Bool = false,
        naming named: Set<BundleIdentity> = []
    ) throws(AtriumError) -> ResolvedChange {
        try plan(wishes, packages, from: offers(packages), staging: isStaged, naming: named)
    }

    private nonisolated func offers(_ packages: [CatalogPackage]) -> SealedOffers {
        SealedOffers(CatalogOffers(catalog: catalog, registry: registry, packages: packages.map(\.manifest))) {
            identity throws(AtriumError) in try self.sealed(identity, packages)
        }
    }

    private nonisolated func plan(
        _ wishes: [BundleWish], _ packages: [CatalogPackage], from offers: SealedOffers, staging isStaged: Bool,
        naming named: Set<BundleIdentity>
    ) throws(AtriumError) -> ResolvedChange {
        let sandbox: any ResolverSandbox =
            isStaged ? try StagedSandbox(registry: registry) : RegistrySandbox(registry: registry)
        let resolver = Resolver(sandbox: sandbox, offers: offers, isBarred: try bars(offering: packages, naming: named))
        do throws(AtriumError) {
            return try resolver.plan(wishes.map { $0.wish })
        } catch  where error.code == .bundleUnknown && error.nearest.isEmpty {
            let known = Set(try catalog.listing().packages.map(\.manifest.identity.identifier)).sorted()
            throw AtriumError(
                .bundleUnknown, error.subject, nearest: Nearest.identifiers(to: error.subject, in: known))
        } catch  where isStaged && error.code == .downgrade {
            let staged = try registry.staged().first { error.detail == "\($0.identity.version) is active" }
            throw staged.map {
                AtriumError(.downgrade, error.subject, detail: "\($0.identity.version) is staged")
            } ?? error
        }
    }

    /// Opens a package and judges who has signed it.
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
        try package.verify(by: .trust(try gate.store(), purpose, at: Clock.now()))
        return package
    }

    /// What waits to take the place of active versions that are wished by their versions: who names one wants it to stay.
    private nonisolated func staged(against wishes: [BundleWish]) throws(AtriumError) -> [PluginBundle] {
        var found: [PluginBundle] = []
        for case .install(let identifier, let version?) in wishes {
            guard let staged = try registry.staged(identifier),
                try registry.active(identifier)?.identity.version == version
            else { continue }
            found.append(staged)
        }
        return found
    }

    /// What to say of wishes that have come true already.
    private nonisolated func unchanged(
        _ wishes: [BundleWish], _ packages: [CatalogPackage], staging isStaged: Bool
    ) throws(AtriumError) -> [InstallReport] {
        var reports: [InstallReport] = []
        for wish in wishes {
            if isStaged, let staged = try registry.staged(wish.identifier) {
                if case .install = wish { try checkOrigin(of: staged, packages) }
                reports.append(InstallReport(bundle: staged, before: staged, isStaged: true))
                continue
            }
            guard let active = try registry.active(wish.identifier) else { continue }
            if case .install = wish { try checkOrigin(of: active, packages) }
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
    /// What is installed under an identifier.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, what is near included.
    public nonisolated func requireInstalled(_ identifier: String) throws(AtriumError) -> InstalledBundle {
        if let installed = try registry.installed(identifier) { return installed }
        let staged = try registry.staged(identifier).map { "\($0.identity.version) is staged" }
        throw AtriumError(
            .bundleNotInstalled, identifier, detail: staged ?? "",
            nearest: Nearest.identifiers(to: identifier, in: try registry.identifiers())
        )
    }

    /// Returns whether neither code that runs nor the app has a route that a manifest declares, nor the host a target or service. Of these the registry knows nothing, so
    /// it is asked in the turn in which the registry is changed.
    nonisolated func requireFree(_ manifest: Manifest) throws(AtriumError) {
        try board.requireFree(manifest, besides: rules.withLock { $0 }, converters: converters)
        let identifier = manifest.identity.identifier
        for target in manifest.targets where services.targets.contains(where: { $0.name == target.name }) {
            throw .taken(.targetConflict, target.name, of: identifier, by: "the host")
        }
        for service in manifest.services where services.provided.contains(where: { $0.name == service }) {
            throw .taken(.serviceConflict, service, of: identifier, by: "the host")
        }
    }

    /// Runs `body` as the only one, of all hosts and of all calls in this one, that changes the sandbox.
    ///
    /// - Parameter mends: whether it may be done though the registry is lost.
    func exclusively<R: Sendable>(
        mending mends: Bool = false, _ body: @Sendable () async throws -> R
    ) async throws -> R {
        hasChanged = true
        // Which version is kept to go back to depends on which have run.
        probation.trials.proveUsed()
        records.write()
        return try await turns.take {
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
