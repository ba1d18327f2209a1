import BundleFormat
import HostSystem
import Registry
public import PluginCore

/// The transaction that installs, updates and repairs bundles.
public struct InstallTransaction: SandboxPart {
    package let transactions: SandboxTransactions

    /// The number of times that another package is downloaded because one was invalid.
    private static let mostAttempts = 16

    /// Fulfills install requests atomically, together with the changes that they require.
    ///
    /// A bundle without a requested version gets the newest compatible one. A version below the active one, or below one that
    /// has run successfully, is rejected. A requested active version is repaired if its files differ from the seal or its
    /// signer is no longer trusted. So is a rollback target that is requested by its version, without becoming active. When
    /// the active version is requested explicitly, a version staged to replace it is unstaged.
    ///
    /// - Parameters:
    ///   - requests: the bundles to install and to update.
    ///   - packages: packages offered in addition to the catalog's.
    ///   - isStaged: whether the new versions become active only when a host starts next.
    ///   - isWayBackKept: `false` if a version with a higher data version may take the data over without a copy.
    ///
    /// - Returns: the results for the requested bundles in their order, and then for all others that changed.
    /// - Throws: ``AtriumError`` with code `bundleUnknown`, `bundleNotInstalled`, `versionUnknown`, `packageInvalid`,
    ///   `manifestInvalid`, `unsigned`, `sealBroken`, `signatureInvalid`, `teamUnknown`, `teamForeign`, `keyRetired`,
    ///   `keyRevoked`, `libraryMissing`, `libraryIncompatible`, `requirementUnmet`, `dependencyConflict`, `routeConflict`,
    ///   `targetConflict`, `serviceConflict`, `downgrade`, `versionReused`, `quarantined`, `storageFull`, `sandboxBusy`,
    ///   `sandboxUnwritable`, `catalogUnreachable`, `catalogUntrusted`, `catalogInvalid`, `catalogMismatch`, `downloadFailed`,
    ///   `inputOutput`, `registryDamaged`. The sandbox is unchanged then, except for versions that were repaired before.
    @discardableResult
    public func run(
        _ requests: [ChangeRequest], offering packages: [CatalogPackage] = [], staging isStaged: Bool = false,
        keepingWayBack isWayBackKept: Bool = true
    ) async throws -> [InstallReport] {
        try await fulfill(
            InstallOrder(requests, offering: packages, staging: isStaged, keepingWayBack: isWayBackKept)
        ).reports
    }

    /// Updates bundles, by default as far as their packages can be downloaded.
    ///
    /// A bundle stays as it is if its package, or one that its update requires, could not be downloaded, or if its libraries for another
    /// host can't be replaced now. All others are updated together, as by ``run(_:offering:staging:keepingWayBack:)``.
    ///
    /// - Parameters:
    ///   - identifiers: the installed bundles to update.
    ///   - isComplete: whether all bundles are updated or none, and one whose newer packages are invalid is an error.
    ///   - isStaged: whether the new versions become active only when a host starts next.
    /// - Throws: as ``run(_:offering:staging:keepingWayBack:)``, but the errors of downloads and repairs only if `isComplete`.
    public func update(
        _ identifiers: [BundleIdentifier], completely isComplete: Bool = false, staging isStaged: Bool = false,
        keepingWayBack isWayBackKept: Bool = true
    ) async throws -> UpdateResult {
        let requests = identifiers.map { ChangeRequest.update($0, mayStay: !isComplete) }
        return try await fulfill(InstallOrder(requests, staging: isStaged, keepingWayBack: isWayBackKept))
    }

    /// Installs a package file; its requirements come from the catalog.
    ///
    /// - Returns: the results for its bundle and all others that changed.
    /// - Throws: as ``run(_:offering:staging:keepingWayBack:)``.
    @discardableResult
    public func run(packageAt path: FilePath, keepingWayBack isWayBackKept: Bool = true) async throws -> [InstallReport]
    {
        let package = try PackageFile(path: path).offered(converters: planner.converters)
        let identity = package.manifest.identity
        return try await run(
            [.install(identity.identifier, identity.version)], offering: [package], keepingWayBack: isWayBackKept)
    }

    /// Fulfills install requests as they are ordered.
    ///
    /// - Throws: as ``run(_:offering:staging:keepingWayBack:)``, and the errors of the order's limit.
    package func fulfill(_ order: InstallOrder) async throws -> UpdateResult {
        let interval = Tracing.begin(.install, order.requests.map { "\($0.identifier)" }.joined(separator: " "))
        defer { interval?.end() }
        let result: UpdateResult
        do {
            result = try await make(order)
        } catch let error as AtriumError where error.isDataInUse && order.token == nil {
            var order = order
            (order.isStaged, order.waitsForData) = (true, true)
            transactions.waiting.begin()
            result = try await make(order)
        }
        source.removeDownloads()
        for report in result.reports where report.isChange { await running.ended(report.bundle.identifier) }
        return result
    }

    /// A completed change, or the packages that are missing for it; none if more has to be known of the offers.
    private enum Outcome {
        case done([InstallReport], skipping: [SkippedVersion], failures: [SkippedVersion])
        case lacking([CatalogPackage])
    }

    /// Plans a change, downloads its packages, and makes it, as it is planned again from the same offers while the sandbox is locked.
    ///
    /// Usually this happens once. If a package turns out to be invalid and the next version is still to be downloaded, or if another
    /// process has changed the sandbox meanwhile, the change is planned anew.
    private func make(_ first: InstallOrder) async throws -> UpdateResult {
        var order = first
        var downloads: [BundleIdentity: PackageDownload] = [:]
        var wanted: [BundleIdentity]?
        for _ in 0..<Self.mostAttempts {
            let (offers, plan) = try await source.search { [order] in
                let offers = $0.adding(order.packages)
                return (offers, try self.plan(from: planner.sealed(offers, for: order)))
            }
            wanted = wanted ?? plan.change.arrivals
            let outcome: Outcome
            if !plan.missing.isEmpty {
                outcome = .lacking(plan.missing)
            } else if try isFulfilled(plan, order) {
                outcome = .done(plan.unchanged, skipping: plan.change.skippedVersions, failures: order.failures)
            } else {
                outcome = try await writer.exclusively { [order] in try await self.change(order, from: offers) }
            }
            switch outcome {
            case .done(let reports, let skipped, let failures):
                let described = self.described(reports, downloads, skipped)
                return UpdateResult(described, failures: failures, wanted: wanted ?? [])
            case .lacking(let packages):
                let (arrived, failures) = try await PackageDownloader(transactions: transactions)
                    .download(packages, evenWithout: order.mayLeaveOut)
                downloads.merge(arrived) { $1 }
                order.failures += failures
            }
        }
        throw AtriumError(.packageNotDownloaded, first.requests.first?.identifier.text ?? "")
    }

    /// Makes a change while the sandbox is locked, as far as everything for it is here.
    private func change(_ order: InstallOrder, from offers: any Offers) async throws -> Outcome {
        let sealed = planner.sealed(offers, for: order)
        var order = order
        var repaired: [PluginBundle] = []
        while true {
            let planned = Result { () throws(AtriumError) in try self.plan(from: sealed) }
            // Another process has changed the sandbox.
            if offers.lacksAnswers { return .lacking([]) }
            let plan = try planned.get()
            if !plan.missing.isEmpty { return .lacking(plan.missing) }
            let arrivals = try plan.change.arrivals.map(sealed.package)
            let versions = arrivals.map { ($0.manifest, $0.digest) }
            let locks = try await data.prepareSwitch(
                to: versions, staging: order.isStaged, keepingWayBack: order.isWayBackKept)
            defer { for lock in locks { lock.release() } }
            if let reports = try await apply(plan, arrivals, &order, &repaired) {
                return .done(reports, skipping: plan.change.skippedVersions, failures: order.failures)
            }
        }
    }

    /// Plans what fulfilling the order of some offers would change.
    package func plan(from sealed: SealedOffers) throws(AtriumError) -> InstallPlan {
        let order = sealed.order
        let kept = try damaged(among: order.requests) { $0.active.version > $1 ? $0.previous : nil }
        let requests = order.requests.filter { request in !kept.contains { $0.identity == request.identity } }
        let change = try planner.plan(requests, from: sealed)
        let moving = Set(change.steps.map(\.identifier))
        let staying = requests.filter { !moving.contains($0.identifier) }
        // A request may have no effect, but not because of an unreachable catalog or of invalid packages alone.
        for request in staying where request.kind == .update {
            try sealed.requireReachable()
            let skipped = change.skippedVersions.first { $0.identity.identifier == request.identifier }
            if let skipped, !request.mayStay { throw skipped.error }
        }
        let repairs =
            try kept + damaged(among: staying) { installed, _ in installed.active }
            + lackingLibraries(among: staying, in: sealed)
        let needed = try (change.arrivals + repairs.map(\.identity)).map(sealed.offers.package)
        return InstallPlan(
            change: change, repairs: repairs, unchanged: try unchanged(staying, order, in: sealed.offers),
            named: staying.map(\.identifier).filter { order.reason(for: $0) == .requested },
            missing: needed.filter { $0.download != nil }, sealed: sealed)
    }

    /// Returns the requested versions that are damaged, missing or no longer trusted, which another copy or signature may repair.
    ///
    /// - Parameter isMeant: returns the version of an installed bundle that a request for a version may mean.
    private func damaged(
        among requests: [ChangeRequest], _ meant: (InstalledBundle, SemanticVersion) -> PluginBundle?
    ) throws(AtriumError) -> [PluginBundle] {
        var damaged: [PluginBundle] = []
        for request in requests where request.kind == .install {
            guard let installed = try registry.active.bundle(request.identifier),
                let bundle = meant(installed, request.version ?? installed.active.version),
                bundle.version == request.version ?? bundle.version, try policy.damage(to: bundle) != nil
            else { continue }
            damaged.append(bundle)
        }
        return damaged
    }

    /// Returns the versions to update that another host has stored without the libraries for this one, as far as they are offered unchanged.
    private func lackingLibraries(
        among requests: [ChangeRequest], in sealed: SealedOffers
    ) throws(AtriumError) -> [PluginBundle] {
        var found: [PluginBundle] = []
        for request in requests where request.kind == .update {
            guard let bundle = try registry.active.version(of: request.identifier),
                try planner.lacksLibraries(bundle),
                !request.mayStay || planner.isOffered(bundle, in: sealed.offers),
                !sealed.order.hasFailed(bundle)
            else { continue }
            found.append(bundle)
        }
        return found
    }

    /// Returns whether the requests are fulfilled already.
    private func isFulfilled(_ plan: InstallPlan, _ order: InstallOrder) throws(AtriumError) -> Bool {
        // Otherwise there is a change, or a bundle was removed after planning.
        guard plan.isEmpty, plan.unchanged.count == order.requests.count else { return false }
        // Repeat copies that an interruption may have prevented.
        for identifier in order.requests.map(\.identifier) {
            guard let minimumVersion = try registry.notes.minimumVersion(of: identifier) else { continue }
            registry.mirrorMinimumVersion(identifier.at(minimumVersion))
        }
        try registry.recordRequest(of: plan.named)
        return true
    }

    /// Makes a planned change.
    ///
    /// - Parameters:
    ///   - order: what is ordered, to which the repairs are added that were impossible.
    ///   - repaired: the versions that were repaired before, to which those of this call are added.
    /// - Returns: `nil` if a package has turned out to be invalid, which the next plan leaves out.
    private func apply(
        _ plan: InstallPlan, _ arrivals: [SealedPackage], _ order: inout InstallOrder,
        _ repaired: inout [PluginBundle]
    ) async throws -> [InstallReport]? {
        let before = try registry.active.versions(of: plan.change.steps.map(\.identifier))
        // The install may remove the version. An unreadable manifest must not prevent its repair, and grants nothing.
        let granted = before.mapValues { (try? registry.versions.manifest(of: $0).permissions) ?? [] }
        try registry.recordRequest(of: plan.named)
        for bundle in plan.repairs where !order.hasFailed(bundle) {
            do {
                repaired.append(try repair(bundle, from: plan.sealed.offers))
            } catch {
                // A version in use, or without a usable package, must not keep the others from being updated.
                guard order.mayStay(bundle), error.code == .sandboxBusy || !error.isEnvironmental else { throw error }
                order.failures.append(SkippedVersion(bundle.identity, for: error))
            }
        }
        let bundles: [PluginBundle]
        do {
            bundles = try arrivals.isEmpty ? [] : installer.install(arrivals, for: order)
        } catch {
            guard plan.sealed.leaveOut(arrivals, for: error) else { throw error }
            return nil
        }
        if !order.isStaged { await running.replace(by: bundles) }
        if !plan.unstaged.isEmpty { try transactions.staged.unstage(plan.unstaged) }
        var reports: [BundleIdentifier: InstallReport] = [:]
        for (bundle, package) in zip(bundles, arrivals) {
            let identifier = bundle.identifier
            let known = granted[identifier] ?? []
            reports[identifier] = InstallReport(
                bundle: bundle, before: before[identifier], isStaged: order.isStaged,
                waitsForData: order.waitsForData,
                newPermissions: package.manifest.permissions.filter { !known.contains($0) })
        }
        for report in plan.unchanged { reports[report.bundle.identifier] = report }
        for bundle in repaired {
            let report = reports[bundle.identifier]
            guard report == nil || report?.bundle == bundle else { continue }
            reports[bundle.identifier] = InstallReport(
                bundle: bundle, before: bundle, isRepaired: true, unstaged: report?.unstaged)
        }
        return (order.requests.map(\.identifier) + plan.change.steps.map(\.identifier))
            .compactMap { reports.removeValue(forKey: $0) }
    }

    /// Returns the results with what was downloaded and skipped for them, which is logged.
    private func described(
        _ reports: [InstallReport], _ downloads: [BundleIdentity: PackageDownload], _ skippedVersions: [SkippedVersion]
    ) -> [InstallReport] {
        for (identity, download) in downloads {
            // Users need not act, but a publisher wants to know.
            if case .packageAfterDelta(let reason) = download.content { log(identity.identifier.text, .info, reason) }
        }
        for skipped in skippedVersions {
            log(skipped.identity, "versionSkipped", ["error": .reason(.error(skipped.error))])
        }
        return reports.map { report in
            var report = report
            let identity = report.bundle.identity
            report.download = downloads[identity]
            report.skippedVersions = skippedVersions.filter { $0.identity.identifier == identity.identifier }
            return report
        }
    }

    /// Returns the results for requests that are fulfilled already.
    private func unchanged(
        _ requests: [ChangeRequest], _ order: InstallOrder, in offers: any Offers
    ) throws(AtriumError) -> [InstallReport] {
        var reports: [InstallReport] = []
        for request in requests {
            let staged = try registry.staged.version(of: request.identifier)
            let active = try registry.active.version(of: request.identifier)
            guard let bundle = order.isStaged ? staged ?? active : active else { continue }
            if request.kind == .install { try planner.checkOrigin(of: bundle, in: offers) }
            var report = InstallReport(bundle: bundle, before: bundle, isStaged: order.isStaged && staged != nil)
            // An active version that is requested explicitly should stay.
            if request.version == bundle.version, !order.isStaged { report.unstaged = staged }
            reports.append(report)
        }
        return reports
    }

    /// Repairs a version from a package with the same seal.
    ///
    /// - Returns: the version with its current signer.
    /// - Throws: ``AtriumError`` with code `versionUnknown` when there is no such package, `versionReused` when its seal
    ///   differs, and the errors of the package or its signer.
    private func repair(_ bundle: PluginBundle, from offers: any Offers) throws(AtriumError) -> PluginBundle {
        try planner.checkOrigin(of: bundle, in: offers)
        // An installed version stays usable after its key expires, so it can be restored too.
        return try installer.putAnew(bundle, from: try planner.sealed(offers.package(bundle.identity), for: .load))
    }
}
