import BundleFormat
import Registry
import Trust
import HostSystem
import Resolver
internal import PluginCore
internal import PluginRouter

/// Rollbacks.
extension BundleManager {
    /// Rolls bundles back to their previous versions atomically.
    ///
    /// The replaced versions are kept, so that another rollback returns to them. A version below one that has run successfully
    /// is a target only if it has run successfully too. Updates don't return to the replaced version, or an earlier one, until
    /// ``unpin(_:)``.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `nothingToRollBack`, `pinned`, `bundleUnavailable`,
    ///   `sealBroken`, `keyRevoked`, `requirementUnmet`, `dependencyConflict`, `routeConflict`, `targetConflict`,
    ///   `serviceConflict`, `sandboxBusy`, or `libraryIncompatible` or `libraryUnloadable` for a version that this host can't
    ///   load.
    @discardableResult
    public func rollBack(_ identifiers: [String]) async throws -> [InstallReport] {
        let identifiers = identifiers.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        // Impossible requests fail here, before anything is created or locked.
        for identifier in identifiers { _ = try previous(of: identifier) }
        let reports = try await exclusively {
            var changes: [RegistryChange] = []
            var reports: [InstallReport] = []
            var requests: [ResolverRequest] = []
            var versions: [PlacedVersion] = []
            for identifier in identifiers {
                let (installed, previous) = try self.previous(of: identifier)
                try self.requireSound(previous)
                let version = try self.placed(previous)
                versions.append(version)
                let manifest = version.manifest
                changes.append(.rollBack(to: previous, manifest, isByUser: true))
                reports.append(InstallReport(bundle: previous, before: installed.active))
                requests.append(.rollBack(identifier, to: previous.identity.version))
                try self.requireFree(manifest)
            }
            try self.resolver.requireNothingElse(for: requests)
            try self.requireLoadable(versions)
            let released = try self.installer.commit(changes)
            await self.replace(by: reports.map(\.bundle))
            try? self.installer.clear(released)
            return reports
        }
        for report in reports { await ended(report.bundle.identity.identifier) }
        return reports
    }

    /// Rolls a bundle back to its previous version.
    ///
    /// See ``rollBack(_:)-([String])`` for the details and errors.
    @discardableResult
    public func rollBack(_ identifier: String) async throws -> InstallReport {
        let reports = try await rollBack([identifier])
        guard let report = reports.first else { throw AtriumError(.bundleNotInstalled, identifier) }
        return report
    }

    private nonisolated func previous(of identifier: String) throws -> (InstalledBundle, PluginBundle) {
        let installed = try requireInstalled(identifier)
        guard let previous = installed.previous else {
            if let kept = try unreachable(identifier) { try requireRollbackTarget(to: kept) }
            throw AtriumError(
                .nothingToRollBack, identifier, detail: "\(installed.active.identity.version) is alone")
        }
        try requireRollbackTarget(to: previous)
        if let range = try registry.pins.pin(of: identifier)?.versions, !range.contains(previous.identity.version) {
            throw AtriumError(.pinned, previous.identity.description, detail: "it is pinned to \(range)")
        }
        return (installed, previous)
    }

    /// Returns a version that is kept but isn't a valid rollback target.
    private nonisolated func unreachable(_ identifier: String) throws(AtriumError) -> PluginBundle? {
        let named = [try registry.active.version(of: identifier), try registry.staged.version(of: identifier)]
        return try registry.versions.all(of: identifier).first { !named.contains($0) }
    }

    /// Checks that a kept version is a valid rollback target: it has run successfully, or no version above it has.
    nonisolated func requireRollbackTarget(to bundle: PluginBundle) throws(AtriumError) {
        let (identifier, version) = (bundle.identity.identifier, bundle.identity.version)
        guard let minimumVersion = try registry.minimumVersions.version(of: identifier),
            !bundle.isRollbackTarget(above: minimumVersion)
        else { return }
        // The record that it has run may have been lost with the registry.
        throw AtriumError(
            .nothingToRollBack, identifier,
            detail: "\(minimumVersion) has run here, and \(version) is not known to have")
    }

    /// Checks that a version that is to become active is intact and still trusted.
    ///
    /// - Parameter purpose: the purpose for which its signer must be trusted.
    nonisolated func requireSound(
        _ bundle: PluginBundle, for purpose: TrustStore.Purpose = .load
    ) throws(AtriumError) {
        if let refusal = try refusal(of: bundle, for: purpose) { throw refusal }
    }

    /// Returns what is wrong with an installed version, if anything.
    ///
    /// - Throws: the errors of the trust store, and ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when the
    ///   version can't be read, which says nothing about it.
    nonisolated func refusal(
        of bundle: PluginBundle, for purpose: TrustStore.Purpose = .load
    ) throws(AtriumError) -> AtriumError? {
        let folder = sandbox.folder(of: bundle)
        guard try FileSystem.isFolder(folder) else {
            return AtriumError(.bundleUnavailable, bundle.identity.description, detail: "\(folder) is gone")
        }
        return try findings(about: bundle, for: purpose).refusal(of: bundle.identity.description)
    }

    /// Checks that this host, which may not be the one that installed them, can load versions that become active together.
    ///
    /// - Parameter others: versions that become active with them and have been checked.
    nonisolated func requireLoadable(
        _ versions: [PlacedVersion], after others: [PlacedVersion] = []
    ) throws(AtriumError) {
        let coming = (others + versions).map { (version: $0, folder: sandbox.folder(of: $0.bundle)) }
        let resolver = LibraryResolver(sandbox: sandbox, registry: registry, comingWith: coming)
        for (version, folder) in coming.dropFirst(others.count) { try version.validate(in: folder, with: resolver) }
    }

    nonisolated var resolver: Resolver {
        Resolver(
            sandbox: RegistrySandbox(registry: registry), offers: CatalogOffers(catalog: catalog, registry: registry))
    }
}
