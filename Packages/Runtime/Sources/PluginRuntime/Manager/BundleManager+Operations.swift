import BundleFormat
public import Registry
public import PluginCore
import PluginRouter

/// The operations of a host, each of which one part of the manager carries out.
extension BundleManager {
    /// Prepares the sandbox for launch: removes leftovers, quarantines crashed versions, activates staged ones, and adopts
    /// built-in updates.
    ///
    /// Usually there is nothing to do; then it writes nothing, takes no lock, and its cost doesn't depend on the number of
    /// bundles. A step that fails, because another host is working on the sandbox or it can't be written, is logged and left
    /// for the next start. A version that waits to be quarantined isn't loaded meanwhile.
    ///
    /// - Returns: the versions that were activated or removed.
    /// - Throws: ``AtriumError`` with code `registryDamaged` or `registryNewer`, or `inputOutput` or `sandboxUnwritable` when
    ///   the existence of a registry can't be determined.
    @discardableResult
    public func prepareForLaunch() async throws -> [InstallReport] { try await transactions.launch.run() }

    /// Installs a bundle and its requirements from the catalog, and makes it active.
    ///
    /// - Parameters:
    ///   - identifier: the bundle.
    ///   - version: the version; `nil` for the newest compatible one. A version below the active one, or below one that has run
    ///     successfully, is rejected.
    /// - Returns: the result for the bundle; ``change(_:offering:staging:)`` also returns those of its requirements.
    /// - Throws: as ``change(_:offering:staging:)``.
    @discardableResult
    public func install(_ identifier: BundleIdentifier, version: SemanticVersion? = nil) async throws -> InstallReport {
        try await change([.install(identifier, version)]).report(of: identifier)
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
    public func update(_ identifier: BundleIdentifier) async throws -> InstallReport {
        try await change([.update(identifier)]).report(of: identifier)
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
        try await transactions.install.run(requests, offering: packages, staging: isStaged)
    }

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
    public func rollBack(_ identifiers: [BundleIdentifier]) async throws -> [InstallReport] {
        try await transactions.rollback.run(identifiers)
    }

    /// Rolls a bundle back to its previous version.
    ///
    /// See ``rollBack(_:)-([String])`` for the details and errors.
    @discardableResult
    public func rollBack(_ identifier: BundleIdentifier) async throws -> InstallReport {
        try await rollBack([identifier]).report(of: identifier)
    }

    /// Uninstalls bundles atomically; their data stays unless its deletion is requested.
    ///
    /// Blocks on their versions are lifted, also for bundles that are uninstalled already. A crash that hasn't been reported
    /// yet becomes a block on that content, because no user has seen it.
    ///
    /// - Parameters:
    ///   - deleteData: whether their data is deleted too, also of bundles that are uninstalled already.
    ///   - isCascade: whether dependent bundles are removed too.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `bundleNeeded` with the dependent bundles, `sandboxBusy`,
    ///   `registryDamaged`.
    @discardableResult
    public func uninstall(
        _ identifiers: [BundleIdentifier], deleteData: Bool = false, cascade isCascade: Bool = false
    ) async throws -> UninstallReport {
        try await transactions.uninstall.run(identifiers, deleteData: deleteData, cascade: isCascade)
    }

    /// Uninstalls a bundle.
    ///
    /// See ``uninstall(_:deleteData:cascade:)-([String],_,_)`` for the details and errors.
    @discardableResult
    public func uninstall(_ identifier: BundleIdentifier, deleteData: Bool = false) async throws -> PluginBundle {
        let gone = try await uninstall([identifier], deleteData: deleteData).removed
        guard let bundle = gone.first else { throw AtriumError(.bundleNotInstalled, identifier) }
        return bundle
    }

    /// Returns the bundles that were installed only as requirements and that no bundle needs any longer.
    ///
    /// - Throws: the errors of the registry.
    public func unneeded() throws(AtriumError) -> [PluginBundle] { try policy.planner.unneeded() }

    /// Uninstalls the bundles that are no longer needed; their data stays.
    ///
    /// - Returns: the removed versions.
    /// - Throws: as ``uninstall(_:deleteData:cascade:)-([String],_,_)``.
    @discardableResult
    public func removeUnneeded() async throws -> [PluginBundle] { try await transactions.uninstall.removeUnneeded() }

    /// Pins an installed bundle to a range of versions.
    ///
    /// Only a rollback after a crash can move it out of the range. A staged version outside the range is unstaged.
    ///
    /// - Parameter versions: the range; `nil` for the active version only.
    /// - Returns: the pin, and the version that was unstaged.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `sandboxBusy`, `sandboxUnwritable` or `registryDamaged`.
    @discardableResult
    public func pin(
        _ identifier: BundleIdentifier, to versions: VersionRange? = nil
    ) async throws -> (pin: VersionPin, unstaged: PluginBundle?) {
        try await transactions.pin.pin(identifier, to: versions)
    }

    /// Removes the pin of an installed bundle, whether a user or a rollback has set it.
    ///
    /// - Returns: the removed pin; `nil` when there was none.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `sandboxBusy`, `sandboxUnwritable` or `registryDamaged`.
    @discardableResult
    public func unpin(_ identifier: BundleIdentifier) async throws -> VersionPin? {
        try await transactions.pin.unpin(identifier)
    }

    /// Lifts the blocks on versions whose content crashed or hung a host.
    ///
    /// A version that isn't quarantined yet stays active.
    ///
    /// - Parameter version: the version; `nil` for all versions of the bundle.
    /// - Returns: the versions that were blocked.
    /// - Throws: ``AtriumError`` with code `nothingToUnblock`, `sandboxBusy`, `sandboxUnwritable` or `registryDamaged`.
    @discardableResult
    public func unblock(
        _ identifier: BundleIdentifier, version: SemanticVersion? = nil
    ) async throws -> [QuarantinedVersion] {
        try await transactions.quarantine.unblock(identifier, version: version)
    }

    /// Reads all files of the versions in the registry, and verifies them against their seals and the trust store.
    ///
    /// - Parameter identifiers: the bundles to verify; `nil` for all.
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `trustInvalid`, `registryDamaged`.
    public func verify(_ identifiers: [BundleIdentifier]? = nil) throws(AtriumError) -> [VerifiedVersion] {
        try transactions.maintenance.verify(identifiers)
    }

    /// Removes everything that the registry doesn't list and no process uses, and versions that are no longer valid rollback targets.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `sandboxUnwritable`, `registryDamaged`.
    public func collectGarbage() async throws -> CollectionReport {
        try await transactions.maintenance.collectGarbage()
    }

    /// Runs a closure while no other host changes the installed bundles.
    ///
    /// Calls may be nested. Hosts that only run plugins aren't affected. A sandbox that didn't exist before exists afterwards
    /// only if something was installed.
    ///
    /// - Throws: ``AtriumError`` with code `sandboxBusy`, `sandboxUnwritable`, and the errors of `body`.
    @discardableResult
    public func whileAlone<R: Sendable>(_ body: @Sendable () async throws -> R) async throws -> R {
        try await transactions.writer.whileAlone(body)
    }

    /// Returns an installed bundle.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled` and similar identifiers.
    public func requireInstalled(_ identifier: BundleIdentifier) throws(AtriumError) -> InstalledBundle {
        try registry.requireInstalled(identifier)
    }

    /// Diagnoses the state of a bundle, without running any of its code.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnknown` for a bundle that was never installed and isn't offered, and the
    ///   errors of the registry.
    public func diagnosis(of identifier: BundleIdentifier) throws(AtriumError) -> BundleDiagnosis {
        try Diagnosis(
            sandbox: sandbox, registry: registry, planner: policy.planner, offers: offers, policy: policy,
            staged: transactions.staged, quarantine: transactions.quarantine
        ).diagnosis(of: identifier)
    }

    /// Predicts the outcome for each staged version at the next start of a host.
    ///
    /// - Throws: the errors of the registry.
    public func stagedUpdateReports() throws(AtriumError) -> [StagedUpdateReport] {
        try transactions.staged.reports()
    }

    /// Makes all checks of a load without loading anything: the signer, the seal, and the library's content.
    ///
    /// - Throws: the errors of loading.
    public func requireVerified(_ bundle: PluginBundle) throws { try policy.require(bundle, for: .verification) }

    /// Returns the principal object of a bundle, which is loaded on first use; concurrent calls wait for that load.
    public func principal(of identifier: BundleIdentifier) async throws -> Principal {
        try await loader.loaded(identifier).principal
    }

    /// Returns the principal object of a version that the caller has found in the registry.
    ///
    /// - Throws: ``AtriumError`` with code `bundleUnavailable` when another version of it is running, or replaces it.
    public func principal(of bundle: PluginBundle) async throws -> Principal {
        try await loader.principal(of: bundle)
    }

    /// Returns the resources of a bundle, without loading its code.
    ///
    /// - Throws: ``AtriumError`` with code `bundleNotInstalled`, `bundleUnavailable`, and the errors of loading when the signer
    ///   is no longer trusted or the seal is missing.
    public func resources(of identifier: BundleIdentifier) async throws -> BundleResources {
        try await loader.resources(of: identifier)
    }

    /// Returns a page for use by a host: to show it, to perform its actions, and to close it.
    ///
    /// A crash in a version that hasn't run successfully is then attributed to it, and code that blocks the main actor for too
    /// long is reported, for every version. Errors of actions name the bundle. The page on the navigation stack remains the
    /// bundle's own.
    @MainActor
    public func watched(_ page: any Page) -> any Page { loader.pageWatcher.watched(page) }

    /// Returns whether a bundle is loaded or being loaded in this process.
    @MainActor
    public func isActive(_ identifier: BundleIdentifier) -> Bool { running.activations[identifier] != nil }

    /// Sets the observer of running bundles that another process replaces or removes.
    @MainActor
    public func onOutsideChange(_ observer: OutsideChangeObserver?) { liveUpdates.observer = observer }

    /// Compares the running bundles with the installed ones, and cuts off those that another process replaced or removed.
    ///
    /// All bundles are cut off when this returns, but running calls may not have ended.
    public func refresh() async { await liveUpdates.refresh() }

    /// Deactivates all bundles at the end of a session; each is informed, so that it can close its resources.
    public func deactivateAll() async {
        await liveUpdates.stop()
        await running.deactivateAll()
        policy.crashMonitor.trials.end()
        records.write()
        policy.versionLocks.releaseAll()
    }
}

extension [InstallReport] {
    /// Returns the report about a bundle.
    fileprivate func report(of identifier: BundleIdentifier) throws(AtriumError) -> InstallReport {
        guard let report = first(where: { $0.bundle.identity.identifier == identifier }) else {
            throw AtriumError(.bundleNotInstalled, identifier)
        }
        return report
    }
}
