package import Registry
import HostSystem
package import PluginCore
import Synchronization

/// The quarantine of versions that have crashed or hung a host.
public struct CrashQuarantine: SandboxPart {
    package let transactions: SandboxTransactions
    var crashLogs: CrashLogStore { crashMonitor.crashLogs }

    /// Quarantines such versions, and rolls back to their previous versions, together with dependent bundles, where that is possible.
    func quarantineCrashedVersions() async throws -> [InstallReport] {
        guard !crashLogs.reading().isClear else { return [] }
        do {
            let reports = try await writer.exclusively {
                var reports: [InstallReport] = []
                try crashLogs.process { crash in
                    guard let bundle = try crashedVersion(crash) else { return }
                    reports += try quarantine(bundle, crash.reason)
                }
                return reports
            }
            crashLogs.obstacle.withLock { $0 = nil }
            return reports
        } catch {
            crashLogs.obstacle.withLock { $0 = error as? AtriumError }
            throw error
        }
    }

    /// Forgets the crashes of a version that haven't quarantined it.
    package func forget(_ version: VersionKey) { crashLogs.forget(version) }

    /// Returns the versions that the next start of a host would quarantine, with the reasons.
    ///
    /// - Parameter isSweeping: as ``CrashLogStore/reading(sweeping:)``.
    package func crashedVersions(
        sweeping isSweeping: Bool = true
    ) throws(AtriumError) -> [(bundle: PluginBundle, crash: CrashReport)] {
        let reading = crashLogs.reading(sweeping: isSweeping)
        if let obstacle = reading.obstacle { throw obstacle }
        return try reading.reports.map { crash throws(AtriumError) in
            try crashedVersion(crash).map { ($0, crash) }
        }.compactMap(\.self)
    }

    /// Returns the version of a crash report, unless it was removed or has run successfully since.
    private func crashedVersion(_ crash: CrashReport) throws(AtriumError) -> PluginBundle? {
        try registry.versions.all(of: crash.identity.identifier).first {
            $0.key == crash.version && $0.hasRunSince == nil
        }
    }

    /// Quarantines a version of the sandbox, whether it is active or not.
    package func block(_ bundle: PluginBundle, because reason: ErrorReason) async throws {
        try await writer.exclusively {
            let versions = try registry.versions.all(of: bundle.identifier)
            guard let known = versions.first(where: { $0.key == bundle.key }) else { return }
            _ = try quarantineVersion(known, reason)
        }
    }

    /// Quarantines an active version of which a part, such as an extension, keeps crashing while the host goes on running.
    package func quarantine(_ bundle: PluginBundle, because reason: ErrorReason) async throws -> [InstallReport] {
        try await writer.exclusively {
            // A host may have recorded since that the version has run, so only its content is compared.
            let active = try registry.active.version(of: bundle.identifier)
            guard let active, active.key == bundle.key else { return [] }
            return try quarantine(active, reason)
        }
    }

    private func quarantine(_ bundle: PluginBundle, _ crash: ErrorReason) throws -> [InstallReport] {
        let (reports, outcome) = try quarantineVersion(bundle, crash)
        log(bundle.identity, "versionCrashed", ["crash": .reason(outcome)])
        return reports
    }

    /// Quarantines a version and activates its replacements, in one transaction.
    ///
    /// - Returns: the results for the versions that become active again, the bundle's own first, and the message about the crashed version.
    private func quarantineVersion(
        _ bundle: PluginBundle, _ crash: ErrorReason
    ) throws(AtriumError) -> (reports: [InstallReport], outcome: ErrorReason) {
        guard try registry.active.version(of: bundle.identifier) == bundle else {
            try installer.commitAndClear([.quarantine(bundle, reason: crash, then: nil)])
            return ([], ErrorReason("crashWhileInactive", ["crash": .reason(crash)]))
        }
        let disabled: ErrorReason
        do {
            let returns = try rollbackTarget(from: bundle)
            let before = try registry.active.versions(of: returns.map(\.bundle.identifier))
            let (own, others) = (returns.first, returns.dropFirst())
            try installer.commitAndClear(
                [.quarantine(bundle, reason: crash, then: own?.bundle)] + others.map { .rollBack(to: $0.bundle) })
            var values: [String: ErrorReason.Value] = ["crash": .reason(crash)]
            values["version"] = own.map { "\($0.bundle.version)" }
            if !others.isEmpty { values["others"] = .list(others.map(\.bundle.identity.description)) }
            let name = others.isEmpty ? "crashRolledBack" : "crashRolledBackWith"
            return (
                returns.map { InstallReport(bundle: $0.bundle, before: before[$0.bundle.identifier]) },
                own == nil ? crash : ErrorReason(name, values)
            )
        } catch {
            // A temporary failure must not disable a bundle: the next start tries again, and the version isn't loaded meanwhile.
            if error.isEnvironmental { throw error }
            let obstacle = ErrorReason.all(of: error.reasons) ?? .error(error)
            disabled = ErrorReason("crashWithoutReplacement", ["crash": .reason(crash), "obstacle": .reason(obstacle)])
        }
        try installer.commitAndClear([.quarantine(bundle, reason: disabled, then: nil)])
        return ([], disabled)
    }

    /// Returns the rollback that keeps all requirements satisfied: to the previous version, and those of dependent bundles.
    ///
    /// - Throws: ``AtriumError`` with code `nothingToRollBack`, `bundleUnavailable`, `sealBroken`, `keyRevoked`,
    ///   `routeConflict`, `libraryIncompatible`, `libraryUnloadable`, `requirementUnmet` or `dependencyConflict`, with the
    ///   chain of requirements that prevents it.
    private func rollbackTarget(from bundle: PluginBundle) throws(AtriumError) -> [PlacedVersion] {
        let identifier = bundle.identifier
        guard let previous = try registry.active.bundle(identifier)?.previous else {
            throw AtriumError(.nothingToRollBack, identifier, reason: "nothingKept")
        }
        let offers = KeptOffers(registry: registry, permit: policy.requireReturnCandidate)
        let steps = try planner.plan([.rollBack(identifier, to: previous.version)], in: offers, .back).steps
        var returns: [PlacedVersion] = []
        for step in steps {
            guard let kept = try registry.active.bundle(step.identifier)?.previous, kept.identity == step.arrival
            else { continue }
            returns.append(try registry.versions.placed(kept))
        }
        try policy.requireLoadable(returns)
        return returns.filter { $0.bundle == previous } + returns.filter { $0.bundle != previous }
    }
}
