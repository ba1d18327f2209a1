internal import PluginCore
internal import PluginRouter

/// The ways back.
extension BundleManager {
    /// Makes the previous versions of bundles active again, all of them or none. The versions that they replace are kept, and
    /// another rollback returns to them. Below a version that has run here it goes to one that has run here too, and to no other.
    /// An update does not go forward again to the version that is left, nor to an earlier one, until ``unpin(_:)``.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `nothingToRollBack`, `pinned`, `bundleUnavailable`, `sealBroken`,
    ///   `keyRevoked`, `requirementUnmet`, `dependencyConflict`, `routeConflict`, `targetConflict`, `serviceConflict`,
    ///   `sandboxBusy`, or `libraryIncompatible` or `libraryUnloadable` for what this host cannot load.
    @discardableResult
    public func rollBack(_ identifiers: [String]) async throws -> [InstallReport] {
        let identifiers = identifiers.reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        // What cannot be done is found out before anything is made or locked.
        for identifier in identifiers { _ = try previous(of: identifier) }
        let reports = try await exclusively {
            var changes: [RegistryChange] = []
            var reports: [InstallReport] = []
            var wishes: [Wish] = []
            var versions: [PlacedVersion] = []
            for identifier in identifiers {
                let (installed, previous) = try self.previous(of: identifier)
                try self.requireSound(previous)
                let version = try self.placed(previous)
                versions.append(version)
                let manifest = version.manifest
                changes.append(.rollBack(to: previous, manifest, isByUser: true))
                reports.append(InstallReport(bundle: previous, before: installed.active))
                wishes.append(.rollBack(identifier, to: previous.identity.version))
                try self.requireFree(manifest)
            }
            try self.resolver.requireNothingElse(for: wishes)
            try self.requireLoadable(versions)
            let released = try self.installer.commit(changes)
            await self.replace(by: reports.map(\.bundle))
            try? self.installer.clear(released)
            return reports
        }
        for report in reports { await ended(report.bundle.identity.identifier) }
        return reports
    }

    /// Makes the previous version of a bundle active again, as ``rollBack(_:)-([String])``.
    @discardableResult
    public func rollBack(_ identifier: String) async throws -> InstallReport {
        let reports = try await rollBack([identifier])
        guard let report = reports.first else { throw AtriumError(.bundleNotInstalled, identifier) }
        return report
    }

    private nonisolated func previous(of identifier: String) throws -> (InstalledBundle, PluginBundle) {
        let installed = try requireInstalled(identifier)
        guard let previous = installed.previous else {
            if let kept = try unreachable(identifier) { try requireWayBack(to: kept) }
            throw AtriumError(
                .nothingToRollBack, identifier, detail: "\(installed.active.identity.version) is alone")
        }
        try requireWayBack(to: previous)
        if let range = try registry.pin(of: identifier)?.versions, !range.contains(previous.identity.version) {
            throw AtriumError(.pinned, previous.identity.description, detail: "it is pinned to \(range)")
        }
        return (installed, previous)
    }

    /// The version of a bundle that lies there still and is not gone back to.
    private nonisolated func unreachable(_ identifier: String) throws(AtriumError) -> PluginBundle? {
        let named = [try registry.active(identifier), try registry.staged(identifier)]
        return try registry.versions(of: identifier).first { !named.contains($0) }
    }

    /// Returns whether a version that is kept may be gone back to: it is known to have run here, or nothing above it has.
    nonisolated func requireWayBack(to bundle: PluginBundle) throws(AtriumError) {
        let (identifier, version) = (bundle.identity.identifier, bundle.identity.version)
        guard let floor = try registry.floor(of: identifier), !bundle.isWayBack(above: floor) else { return }
        // That it has run may have been forgotten, with a registry that was lost.
        throw AtriumError(
            .nothingToRollBack, identifier, detail: "\(floor) has run here, and \(version) is not known to have")
    }

    /// Returns whether what is to become active again is all there, and still to be trusted.
    ///
    /// - Parameter purpose: for what its signer has to be trusted.
    nonisolated func requireSound(
        _ bundle: PluginBundle, for purpose: TrustStore.Purpose = .load
    ) throws(AtriumError) {
        if let refusal = try refusal(of: bundle, for: purpose) { throw refusal }
    }

    /// What is wrong with a version on the disk, if anything is.
    ///
    /// - Throws: what is wrong with the trust store, and ``AtriumError`` with code `inputOutput` or `sandboxUnwritable` when the
    ///   version can't be read, which says nothing of it.
    nonisolated func refusal(
        of bundle: PluginBundle, for purpose: TrustStore.Purpose = .load
    ) throws(AtriumError) -> AtriumError? {
        let folder = sandbox.folder(of: bundle)
        guard try FileSystem.isFolder(folder) else {
            return AtriumError(.bundleUnavailable, bundle.identity.description, detail: "\(folder) is gone")
        }
        return try findings(about: bundle, for: purpose).refusal(of: bundle.identity.description)
    }

    /// Returns whether this host can load versions that are to become active together: it may be another one than has let them in.
    ///
    /// - Parameter others: what becomes active with them, and has been asked about.
    nonisolated func requireLoadable(
        _ versions: [PlacedVersion], after others: [PlacedVersion] = []
    ) throws(AtriumError) {
        let coming = (others + versions).map { (version: $0, folder: sandbox.folder(of: $0.bundle)) }
        let resolver = LibraryResolver(sandbox: sandbox, registry: registry, comingWith: coming)
        for (version, folder) in coming.dropFirst(others.count) { try version.judge(in: folder, with: resolver) }
    }

    nonisolated var resolver: Resolver {
        Resolver(
            sandbox: RegistrySandbox(registry: registry), offers: CatalogOffers(catalog: catalog, registry: registry))
    }
}
