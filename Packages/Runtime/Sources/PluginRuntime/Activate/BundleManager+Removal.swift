internal import PluginCore
internal import PluginRouter

/// The ways back.
extension BundleManager {
    /// Makes the previous versions of bundles active again, all of them or none. The versions that they replace are kept, and
    /// another rollback returns to them. Below a version that has run here it goes to one that has run here too, and to no other.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `nothingToRollBack`, `downgrade`, `bundleUnavailable`,
    ///   `sealBroken`, `keyRevoked`, `requirementUnmet`, `dependencyConflict`, `routeConflict`, `targetConflict`, `serviceConflict`,
    ///   `sandboxBusy`.
    @discardableResult
    public func rollBack(_ identifiers: [String]) async throws -> [InstallReport] {
        // What can not be done is found out before anything is made or locked.
        for identifier in identifiers { _ = try previous(of: identifier) }
        return try await exclusively {
            var changes: [RegistryChange] = []
            var reports: [InstallReport] = []
            var wishes: [Wish] = []
            for identifier in identifiers {
                let (installed, previous) = try self.previous(of: identifier)
                try self.requireSound(previous)
                let manifest = try self.registry.manifest(of: previous)
                changes.append(.rollBack(to: previous, manifest))
                reports.append(InstallReport(bundle: previous, before: installed.active))
                wishes.append(.rollBack(identifier, to: previous.identity.version))
                try self.requireFree(manifest)
            }
            try self.resolver.requireNothingElse(for: wishes)
            let released = try self.installer.commit(changes)
            for report in reports {
                await self.deactivate(report.bundle.identity.identifier, for: report.bundle)
            }
            try? self.installer.clear(released)
            return reports
        }
    }

    /// Makes the previous version of a bundle active again, as ``rollBack(_:)-([String])``.
    @discardableResult
    public func rollBack(_ identifier: String) async throws -> InstallReport {
        let reports = try await rollBack([identifier])
        guard let report = reports.first else { throw AtriumError(.bundleNotInstalled, identifier) }
        return report
    }

    /// Removes bundles, all of them or none; their data stays unless `deleteData`.
    ///
    /// - Parameters:
    ///   - deleteData: whether their data goes too; also that of bundles which are gone but for it.
    ///   - isCascade: whether the bundles go too that can not do without them.
    /// - Returns: what was active, of each bundle that went; then the staged versions that went alone.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `bundleNeeded` with those who are in the way, `sandboxBusy`.
    @discardableResult
    public func uninstall(
        _ identifiers: [String], deleteData: Bool = false, cascade isCascade: Bool = false
    ) async throws -> [PluginBundle] {
        let wishes = identifiers.map { Wish.remove($0, cascade: isCascade) }
        if deleteData, try eraseOnly(identifiers) { return try await erase(identifiers) }
        for identifier in identifiers where try registry.staged(identifier) == nil {
            _ = try requireInstalled(identifier)
        }
        return try await exclusively {
            let removal = try self.removal(by: wishes)
            let going = removal.identifiers
            let active = try going.compactMap { try self.registry.active($0) }
            // They may still write their data on their way out.
            let released = try await self.withdraw(going) {
                try self.installer.commit(going.map { .remove($0) } + removal.staged.map { .unstage($0) })
            }
            // Who installs it again wants to try it anew.
            for bundle in released { await self.probation.book.forget(bundle.identity, digest: bundle.digest) }
            let gone = identifiers.filter { !going.contains($0) }
            try self.installer.clear(released, deleteDataOf: deleteData ? going + gone : [])
            return active + removal.staged
        }
    }

    /// Removes a bundle, as ``uninstall(_:deleteData:cascade:)-([String],_,_)``.
    @discardableResult
    public func uninstall(_ identifier: String, deleteData: Bool = false) async throws -> PluginBundle {
        let gone = try await uninstall([identifier], deleteData: deleteData)
        guard let bundle = gone.first else { throw AtriumError(.bundleNotInstalled, identifier) }
        return bundle
    }

    /// Whether nothing of the bundles is left but data.
    private nonisolated func eraseOnly(_ identifiers: [String]) throws(AtriumError) -> Bool {
        for identifier in identifiers {
            guard try registry.active(identifier) == nil, try registry.staged(identifier) == nil,
                FileSystem.isFolder(sandbox.container(of: identifier))
            else {
                return false
            }
        }
        return !identifiers.isEmpty
    }

    /// Deletes the data of bundles that are gone; what was removed without its data, or was interrupted before that.
    private func erase(_ identifiers: [String]) async throws -> [PluginBundle] {
        try await exclusively {
            try self.installer.clear([], deleteDataOf: identifiers)
            return []
        }
    }

    private nonisolated func previous(of identifier: String) throws -> (InstalledBundle, PluginBundle) {
        let installed = try requireInstalled(identifier)
        guard let previous = installed.previous else {
            throw AtriumError(
                .nothingToRollBack, identifier, detail: "\(installed.active.identity.version) is alone")
        }
        try requireAboveFloor(previous)
        return (installed, previous)
    }

    /// Whether a version that is kept may be gone back to: it has run here, or nothing above it has.
    nonisolated func requireAboveFloor(_ bundle: PluginBundle) throws(AtriumError) {
        let identity = bundle.identity
        guard !bundle.hasRun, let floor = try registry.floor(of: identity.identifier), identity.version < floor else {
            return
        }
        throw AtriumError(
            .downgrade, identity.description, detail: "\(floor) has run here, and \(identity.version) never has")
    }

    /// Whether what is to become active again is all there, and still to be trusted.
    ///
    /// - Parameter purpose: for what its signer has to be trusted.
    nonisolated func requireSound(
        _ bundle: PluginBundle, for purpose: TrustStore.Purpose = .load
    ) throws(AtriumError) {
        let folder = sandbox.folder(of: bundle)
        guard FileSystem.isFolder(folder) else {
            throw AtriumError(.bundleUnavailable, bundle.identity.description, detail: "\(folder) is gone")
        }
        if let refusal = try findings(about: bundle, for: purpose).refusal(of: bundle.identity.description) {
            throw refusal
        }
    }

    private nonisolated var resolver: Resolver {
        Resolver(
            sandbox: RegistrySandbox(registry: registry), offers: CatalogOffers(catalog: catalog, registry: registry))
    }
}
