import HostSystem
public import PluginCore
import Registry

/// The transaction that returns bundles to their previous versions.
public struct RollbackTransaction: SandboxPart {
    package let transactions: SandboxTransactions

    /// Rolls bundles back to their previous versions atomically.
    ///
    /// The replaced versions are kept, so that another rollback returns to them. A version below one that has run successfully
    /// is a target only if it has run successfully too. The members of an app go back with the bundle that contains its bundle.json. No catalog
    /// is asked. Updates don't return to the replaced version, or an earlier one, until
    /// the bundle is unpinned.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `nothingToRollBack`, `pinned`, `bundleUnavailable`,
    ///   `sealBroken`, `keyRevoked`, `requirementUnmet`, `dependencyConflict`, `routeConflict`, `targetConflict`,
    ///   `serviceConflict`, `sandboxBusy`, or `libraryIncompatible` or `libraryUnloadable` for a version that this host can't
    ///   load.
    @discardableResult
    public func run(_ identifiers: [BundleIdentifier]) async throws -> [InstallReport] {
        let identifiers = identifiers.reduce(into: [BundleIdentifier]()) { if !$0.contains($1) { $0.append($1) } }
        let reports = try await writer.change {
            try withMembers(identifiers).map(previous)
        } applying: { targets in
            let versions = try targets.map(registry.versions.placed)
            try policy.requireReturn(to: versions)
            // A way back may lead forward again, to a higher data version.
            return try await installer.activate(versions) { .rollBack(to: $0.bundle, isByUser: true) }
        }
        for report in reports { await running.ended(report.bundle.identifier) }
        return reports
    }

    /// Returns the bundles, and those that go back with an app because its bundle.json requires their previous versions.
    private func withMembers(_ identifiers: [BundleIdentifier]) throws(AtriumError) -> [BundleIdentifier] {
        var requests: [ChangeRequest] = []
        for identifier in identifiers {
            let previous = try previous(of: identifier)
            guard try FileSystem.isFile(sandbox.folder(of: previous).appending("Resources/bundle.json")) else {
                continue
            }
            requests.append(.rollBack(identifier, to: previous.version))
        }
        if requests.isEmpty { return identifiers }
        let change = try planner.plan(requests, in: KeptOffers(registry: registry), .back)
        let members = change.steps.filter { $0.arrival != nil }.map(\.identifier)
        return identifiers + members.filter { !identifiers.contains($0) }
    }

    private func previous(of identifier: BundleIdentifier) throws(AtriumError) -> PluginBundle {
        let installed = try registry.requireInstalled(identifier)
        guard let previous = installed.previous else {
            // A version that is kept but isn't a valid target.
            let named = [installed.active, try registry.staged.version(of: identifier)]
            for kept in try registry.versions.all(of: identifier) where !named.contains(kept) {
                try policy.requireRollbackTarget(kept)
            }
            throw AtriumError(
                .nothingToRollBack, identifier, reason: "onlyVersion",
                ["version": "\(installed.active.version)"])
        }
        try policy.requireRollbackTarget(previous)
        if let range = try registry.notes.notes(about: identifier).pin?.versions,
            !range.contains(previous.version)
        {
            throw AtriumError(.pinned, previous.identity, reason: "pinnedTo", ["range": "\(range)"])
        }
        return previous
    }
}
