package import BundleFormat
package import HostSystem
package import PluginCore
import PluginRouter
package import Registry
import Synchronization

/// The checks that decide whether an installed version may become active, and whether an active version may be used.
///
/// The checks of each occasion are one function, which shows their order. A package that is to be installed has been
/// checked by ``ChangePlanner`` (blocks, ABI, seal, signer) and ``Installer`` (library) before it gets here.
package struct LoadPolicy: SandboxPart {
    package let transactions: SandboxTransactions

    // MARK: Becoming active

    /// Checks that a version may become active that was extracted from a package and is about to be committed.
    func requireInstall(of version: PlacedVersion) throws(AtriumError) {
        try data.requireNotLowered(version.manifest)
        try requireNamesFree(version.manifest)
        try requirePermitted(version)
    }

    /// Checks that staged versions may become active together when a host starts.
    ///
    /// - Parameters:
    ///   - others: versions that become active with them and have been checked.
    ///   - blockRule: returns the reason why a version is blocked.
    func requireLaunch(
        of versions: [PlacedVersion], after others: [PlacedVersion],
        unless blockRule: @escaping VersionQuestion.BlockRule
    ) throws(AtriumError) {
        for version in versions {
            try requireIntact(version.bundle, for: .install)
            if let reason = try blockRule(version.bundle.identity) { throw reason }
            try requireInstall(of: version)
        }
        let all = others + versions
        try planner.requireNothingElse(
            for: all.map { .install($0.bundle.identifier, $0.bundle.version) },
            in: KeptOffers(registry: registry, coming: all.map(\.manifest)), unless: blockRule)
        try requireLoadable(versions, after: others)
    }

    /// Checks that a user may roll back to versions.
    func requireReturn(to versions: [PlacedVersion]) throws(AtriumError) {
        for version in versions {
            try requireReturnCandidate(version)
            try requirePermitted(version)
        }
        try planner.requireNothingElse(
            for: versions.map { .rollBack($0.bundle.identifier, to: $0.bundle.version) },
            in: KeptOffers(registry: registry))
        try requireLoadable(versions)
    }

    /// Checks that the resolver may consider a version for the rollback that follows a crash. It is to be loadable, too.
    func requireReturnCandidate(_ version: PlacedVersion) throws(AtriumError) {
        try requireRollbackTarget(version.bundle)
        try requireIntact(version.bundle)
        try requireNamesFree(version.manifest)
    }

    /// Checks that this host, which may not be the one that installed them, can load the libraries of versions.
    func requireLoadable(_ versions: [PlacedVersion], after others: [PlacedVersion] = []) throws(AtriumError) {
        let coming = (others + versions).map { (version: $0, folder: sandbox.folder(of: $0.bundle)) }
        for (version, folder) in coming.dropFirst(others.count) {
            try requireLoadable(version, in: folder, with: coming)
        }
    }

    /// Checks that the host accepts a version and its files.
    private func requirePermitted(_ version: PlacedVersion) throws(AtriumError) {
        for admission in services.admission {
            try admission.admit(version.manifest)
            try admission.permit(version.manifest, in: sandbox.folder(of: version.bundle))
        }
    }

    // MARK: Use

    /// Checks that the code of an active version, or of a library, may be loaded. Its content is compared with the seal when it is read.
    ///
    /// - Returns: its folder, which no process removes as long as it is used.
    /// - Throws: as ``requireUse(of:)``, and ``AtriumError`` with code `quarantined` and the reasons as detail, or with the code of the
    ///   obstacle to the quarantine if that is temporary.
    package func requireLoad(of bundle: PluginBundle) throws -> UsedFolder {
        let folder = try requireUse(of: bundle)
        try requireNotCrashed(bundle)
        return folder
    }

    /// Checks that an active version may be used, and returns its folder, which no process removes as long as it is used.
    ///
    /// - Throws: ``ActivationCanceled`` when another version has replaced it and it was removed since the caller read the
    ///   registry; ``AtriumError`` with code `bundleUnavailable` when it is missing although the registry lists it, `unsigned`,
    ///   `teamUnknown`, `teamForeign`, `keyRevoked`, `trustInvalid`, `sealBroken` or `signatureInvalid`.
    private func requireUse(of bundle: PluginBundle) throws -> UsedFolder {
        let folder: UsedFolder
        do {
            folder = try usedFolders.version(bundle)
        } catch {
            guard try registry.active.version(of: bundle.identifier) == bundle else {
                throw ActivationCanceled(bundle: bundle)
            }
            throw error
        }
        try verification.requireSigned(bundle, in: sandbox, records)
        return folder
    }

    /// Returns the active version of a bundle, whose resources may be used as long as its folder is.
    ///
    /// - Returns: `nil` if the bundle isn't installed.
    /// - Throws: as ``requireUse(of:)``.
    func requireResources(
        of identifier: BundleIdentifier
    ) throws(AtriumError) -> (bundle: PluginBundle, folder: UsedFolder)? {
        while let bundle = try registry.active.version(of: identifier) {
            do {
                return (bundle, try requireUse(of: bundle))
            } catch is ActivationCanceled {
                // Try again with the version that is active now.
            } catch {
                throw error as? AtriumError ?? AtriumError(.bundleUnavailable, bundle.identity)
            }
        }
        return nil
    }

    /// Stores the results of checks that were made for a version whose files were used, so that they aren't repeated.
    package func saveRecords() { verification.saveRecords(in: records) }

    /// Checks that a version isn't waiting to be quarantined, because it could crash this host too.
    private func requireNotCrashed(_ bundle: PluginBundle) throws(AtriumError) {
        guard let crash = try crashMonitor.report(on: bundle) else { return }
        let obstacle = crashMonitor.crashLogs.obstacle.withLock { $0 }
        let why = obstacle?.summary ?? ErrorReason("quarantineAtStart")
        let reason = ErrorReason("quarantinePending", ["crash": .reason(crash.reason), "obstacle": .reason(why)])
        if let obstacle, obstacle.isEnvironmental {
            throw AtriumError(
                obstacle.code, obstacle.subject, reason: "ofBundle",
                ["bundle": "\(bundle.identity)", "reason": .reason(reason)])
        }
        throw AtriumError(.quarantined, bundle.identity, reason: reason)
    }

    /// Checks that a manifest doesn't conflict with routes of running code or the app, or with targets and services of the host.
    ///
    /// The registry doesn't know these names. This is checked in the same critical section in which it is changed.
    ///
    /// - Throws: ``AtriumError`` with code `routeConflict`, `targetConflict` or `serviceConflict`.
    func requireNamesFree(_ manifest: Manifest) throws(AtriumError) {
        let identifier = manifest.identity.identifier
        try transactions.registrations.requireFree(
            manifest, besides: transactions.routing.rules, converters: converters)
        for target in manifest.targets where services.targets.contains(where: { $0.name == target.name }) {
            throw .taken(.targetConflict, target.name, of: identifier, by: "the host")
        }
        for service in manifest.services where services.provided.contains(where: { $0.name == service }) {
            throw .taken(.serviceConflict, service, of: identifier, by: "the host")
        }
    }

    /// Checks that a kept version is a valid rollback target: it has run successfully, or no version above it has.
    ///
    /// - Throws: ``AtriumError`` with code `nothingToRollBack`.
    func requireRollbackTarget(_ bundle: PluginBundle) throws(AtriumError) {
        let (identifier, version) = (bundle.identifier, bundle.version)
        try data.requireWayBack(to: bundle)
        guard let minimumVersion = try registry.notes.minimumVersion(of: identifier),
            !bundle.isRollbackTarget(above: minimumVersion)
        else { return }
        // The record that it has run may have been lost with the registry.
        throw AtriumError(
            .nothingToRollBack, identifier,
            reason: "higherHasRun", ["minimum": "\(minimumVersion)", "version": "\(version)"])
    }

    /// Checks that all files of a version are as they were sealed, and that its signer is trusted.
    ///
    /// - Parameter purpose: the purpose for which its signer must be trusted.
    /// - Throws: what is wrong with the version; the errors of the trust store, and ``AtriumError`` with code `inputOutput` or
    ///   `sandboxUnwritable` when the version can't be read, which says nothing about it.
    package func requireIntact(_ bundle: PluginBundle, for purpose: VerificationPurpose = .load) throws(AtriumError) {
        let folder = sandbox.folder(of: bundle)
        guard try FileSystem.isFolder(folder) else {
            throw AtriumError(
                .bundleUnavailable, bundle.identity, reason: "folderGone", ["folder": "\(folder)"])
        }
        let refusal = try findings(about: bundle, for: purpose).refusal(of: bundle.identity.description)
        if let refusal { throw refusal }
    }

    /// Returns what is wrong with the files of a version, or with its signer.
    package func findings(
        about bundle: PluginBundle, for purpose: VerificationPurpose = .load
    ) throws(AtriumError) -> [SealFinding] {
        let signatures = try verification.signatures(for: purpose)
        return try SealedFolder(sandbox.folder(of: bundle), converters: converters)
            .report(by: signatures, expecting: bundle.digest, forThisHost: true).findings
    }

    /// Returns what is wrong with an installed version, if another package of it could repair that.
    package func damage(to bundle: PluginBundle) throws(AtriumError) -> AtriumError? {
        do {
            try requireIntact(bundle)
            return nil
        } catch {
            // A version that can't be read may be intact.
            if error.isEnvironmental { throw error }
            let repairable: Set<AtriumError.Code> = [
                .sealBroken, .unsigned, .signatureInvalid, .manifestInvalid, .bundleUnavailable,
            ]
            return repairable.union(verification.distrustCodes).contains(error.code) ? error : nil
        }
    }
}

/// Results of running versions for the registry: successful runs, stamps of verified files, and what layers record.
///
/// They are written in the background, at the latest at the end of the session. Failures are ignored, because the next run
/// produces the results again.
public final class LoadRecords: Sendable {
    package let registry: Registry
    private let pending = Mutex<[@Sendable (Registry) -> Void]>([])
    /// Locked while writing, so that a process doesn't end before its results are written.
    private let writing = Mutex(())

    init(_ registry: Registry) {
        self.registry = registry
    }

    /// Records that a version has run successfully.
    func add(hasRunVersions bundle: PluginBundle) { add { try? $0.recordSuccessfulRun(bundle) } }

    /// Records the stamp of a verified part of a version.
    package func add(_ part: VerifiedPart, _ stamp: String, of bundle: PluginBundle) {
        add { try? $0.versions.save(part, stamp, of: bundle) }
    }

    /// Adds the records of a layer, which a closure writes.
    package func add(_ write: @escaping @Sendable (Registry) -> Void) {
        pending.withLock { $0.append(write) }
        Task.detached(priority: .utility) { self.write() }
    }

    /// Writes all results; when it returns, everything added before is written, by this call or another.
    func write() {
        writing.withLock { _ in
            for write in pending.withLock({ exchange(&$0, with: []) }) { write(registry) }
        }
    }
}
