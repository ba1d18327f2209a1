import Registry
import HostSystem
import Resolver
import PluginCore
import PluginRouter

/// The quarantine of versions that have crashed or hung a host.
extension BundleManager {
    /// Quarantines such versions, and rolls back to their previous versions, together with dependent bundles, where that is possible.
    func quarantineCrashedVersions() async throws -> [InstallReport] {
        let crashLogs = crashMonitor.crashLogs
        guard !crashLogs.reading().isClear else { return [] }
        do {
            let reports = try await exclusively {
                var reports: [InstallReport] = []
                try crashLogs.process { reports += try self.quarantine($0) }
                return reports
            }
            quarantineObstacle = nil
            return reports
        } catch {
            quarantineObstacle = error
            throw error
        }
    }

    /// Checks that a version isn't waiting to be quarantined, because it could crash this host too.
    ///
    /// - Throws: ``AtriumError`` with code `quarantined` and the reasons as detail, or with the code of the obstacle if that is
    ///   temporary; `inputOutput` or `sandboxUnwritable` when a crash log can't be read.
    func requireNotQuarantined(_ bundle: PluginBundle) throws(AtriumError) {
        guard let crash = try crashMonitor.report(on: bundle) else { return }
        let why = quarantineObstacle.map { ($0 as? AtriumError).map(Self.words) ?? "\($0)" }
        let words = "\(crash.explanation); it is not quarantined yet: \(why ?? "a host does that when it starts")"
        if let obstacle = quarantineObstacle as? AtriumError, obstacle.isEnvironmental {
            throw AtriumError(obstacle.code, obstacle.subject, detail: "\(bundle.identity) \(words)")
        }
        throw AtriumError(.quarantined, bundle.identity.description, detail: words)
    }

    /// Returns the versions that the next start of a host would quarantine, with the reasons.
    ///
    /// - Parameter isSweeping: as ``CrashLogStore/reports(sweeping:)``.
    nonisolated func crashedVersions(
        by crashLogs: CrashLogStore, sweeping isSweeping: Bool = true
    ) throws(AtriumError) -> [(bundle: PluginBundle, crash: CrashReport)] {
        var crashedVersions: [(bundle: PluginBundle, crash: CrashReport)] = []
        let reading = crashLogs.reading(sweeping: isSweeping)
        if let obstacle = reading.obstacle { throw obstacle }
        for crash in reading.reports {
            if let bundle = try crashedVersion(crash) { crashedVersions.append((bundle, crash)) }
        }
        return crashedVersions
    }

    /// Returns the version of a crash report, unless it was removed or has run successfully since.
    private nonisolated func crashedVersion(_ crash: CrashReport) throws(AtriumError) -> PluginBundle? {
        try registry.versions.all(of: crash.identity.identifier).first {
            $0.identity == crash.identity && $0.digest == crash.digest && $0.hasRunSince == nil
        }
    }

    private nonisolated func quarantine(_ crash: CrashReport) throws -> [InstallReport] {
        guard let bundle = try crashedVersion(crash) else { return [] }
        let isActive = try registry.active.version(of: crash.identity.identifier) == bundle
        let (way, released) = try quarantineVersion(bundle, crash.explanation, isActive: isActive)
        try? installer.clear(released)
        let outcome =
            switch way {
            case _ where !isActive: "; it was not active"
            case .taken(let returns): returns.outcome(of: bundle)
            case .blocked(let why): Self.disabled(why)
            }
        services.log(
            bundle.identity.identifier, .error, "\(bundle.identity.version) \(crash.explanation)\(outcome)")
        guard case .taken(let returns) = way else { return [] }
        return returns.map { InstallReport(bundle: $0.bundle, before: $0.before) }
    }

    /// The outcome of planning a rollback.
    private enum Way {
        /// The versions that become active again, the bundle's own first.
        case taken([RollbackStep])
        /// No rollback is possible.
        case blocked(AtriumError)
    }

    /// Quarantines a version and activates its replacements, in one transaction.
    private nonisolated func quarantineVersion(
        _ bundle: PluginBundle, _ reason: String, isActive: Bool
    ) throws(AtriumError) -> (Way, released: [PluginBundle]) {
        guard isActive else {
            return (.taken([]), try installer.commit([.quarantine(bundle, reason: reason, then: nil)]))
        }
        let obstacle: AtriumError
        do throws(AtriumError) {
            let returns = try rollbackTarget(from: bundle)
            let (own, others) = (returns.first, returns.dropFirst())
            let released = try installer.commit(
                [.quarantine(bundle, reason: reason, then: own.map { ($0.bundle, $0.manifest) })]
                    + others.map { .rollBack(to: $0.bundle, $0.manifest) })
            return (.taken(returns), released)
        } catch {
            // A temporary failure must not disable a bundle: the next start tries again, and the version isn't loaded meanwhile.
            if error.isEnvironmental { throw error }
            obstacle = error
        }
        let whole = reason + Self.disabled(obstacle)
        return (.blocked(obstacle), try installer.commit([.quarantine(bundle, reason: whole, then: nil)]))
    }

    private static func disabled(_ why: AtriumError) -> String {
        let words = ([why.detail] + why.problems).filter { !$0.isEmpty }.joined(separator: "; ")
        return "; nothing takes its place: \(words.isEmpty ? why.description : words)"
    }

    /// Returns the rollback that keeps all requirements satisfied: to the previous version, and those of dependent bundles.
    ///
    /// - Throws: ``AtriumError`` with code `nothingToRollBack`, `bundleUnavailable`, `sealBroken`, `keyRevoked`,
    ///   `routeConflict`, `libraryIncompatible`, `libraryUnloadable`, `requirementUnmet` or `dependencyConflict`, with the
    ///   chain of requirements that prevents it.
    private nonisolated func rollbackTarget(from bundle: PluginBundle) throws(AtriumError) -> [RollbackStep] {
        let identifier = bundle.identity.identifier
        guard let previous = try registry.active.bundle(identifier)?.previous else {
            throw AtriumError(.nothingToRollBack, identifier, detail: "no version before it is kept")
        }
        let offers = RollbackOffers(registry: registry) { bundle, manifest throws(AtriumError) in
            try self.requireRollbackTarget(to: bundle)
            try self.requireSound(bundle)
            try self.requireFree(manifest)
        }
        let resolver = Resolver(sandbox: RegistrySandbox(registry: registry), offers: offers, direction: .back)
        let steps = try resolver.plan([.rollBack(identifier, to: previous.identity.version)]).steps
        var returns: [RollbackStep] = []
        for step in steps {
            guard let installed = try registry.active.bundle(step.identifier), let kept = installed.previous,
                kept.identity == step.arrival
            else { continue }
            returns.append(
                RollbackStep(bundle: kept, before: installed.active, manifest: try registry.versions.manifest(of: kept))
            )
        }
        var versions: [PlacedVersion] = []
        for one in returns { versions.append(try placed(one.bundle)) }
        try requireLoadable(versions)
        return returns.filter { $0.bundle == previous } + returns.filter { $0.bundle != previous }
    }
}

/// A version that becomes active again.
private struct RollbackStep {
    let bundle: PluginBundle
    let before: PluginBundle
    let manifest: Manifest
}

extension [RollbackStep] {
    /// Returns the end of a message about a version that they replace.
    fileprivate func outcome(of bundle: PluginBundle) -> String {
        let others = dropFirst().map(\.bundle.identity.description).joined(separator: ", ")
        let own = first.map { "; \($0.bundle.identity.version) is active again" } ?? ""
        return own + (others.isEmpty ? "" : ", and with it \(others)")
    }
}
