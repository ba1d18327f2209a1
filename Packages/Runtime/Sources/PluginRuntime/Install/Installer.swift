import BundleFormat
package import Registry
import HostSystem
package import PluginCore
import Synchronization

/// Installs packages into the sandbox.
///
/// All steps before the registry's transaction work on files that nothing refers to. An interruption therefore leaves either
/// the old or the new versions, and of several bundles that change together, all or none are changed.
package struct Installer: SandboxPart {
    package let transactions: SandboxTransactions
    package var collector: Collector { .init(transactions: transactions) }

    /// A version that is extracted in the staging folder.
    typealias StagedVersion = (version: PlacedVersion, folder: FilePath)

    /// Installs packages atomically: extracts and syncs them in the staging folder, checks them, moves them into place, and commits.
    ///
    /// The sandbox's folders must exist. When it throws, it has left nothing.
    ///
    /// - Parameters:
    ///   - packages: packages sealed by trusted teams, in the order of their requirements.
    ///   - order: the change that they belong to. Bundles that it doesn't request are installed as requirements.
    /// - Returns: the installed versions, in the order of the packages.
    func install(_ packages: [SealedPackage], for order: InstallOrder) throws(AtriumError) -> [PluginBundle] {
        try collector.sweepStaging()
        if packages.contains(where: { $0.manifest.entry != nil }) {
            try FileSystem.requireExecution(in: sandbox.plugins)
        }
        try requireSpace(for: packages)
        var staged: [StagedVersion] = []
        var isInstalled = false
        // After a success, these folders contain the replaced versions.
        defer {
            for (version, folder) in staged {
                try? FileSystem.remove(folder)
                if !isInstalled { lifecycles.tell(version.bundle.identity, .removed) }
            }
        }
        for package in packages {
            var (version, folder) = try unpack(package)
            version.installToken = order.token
            version.waitsForData = order.waitsForData
            version.reason = order.reason(for: package.manifest.identity.identifier)
            staged.append((version, folder))
        }
        // Versions that are staged already become active together with these.
        let waiting = order.isStaged ? try transactions.staged.versions() : []
        let coming = waiting.map { (version: $0, folder: sandbox.folder(of: $0.bundle)) } + staged
        for (version, folder) in staged {
            try policy.requireLoadable(version, in: folder, with: coming, isInstalled: false)
            lifecycles.tell(version.bundle.identity, .verified(team: version.bundle.seal.team))
        }
        let released = try place(staged) { () throws(AtriumError) in
            try commit(staged.map { order.isStaged ? .stage($0.version) : .activate($0.version) })
        }
        isInstalled = true
        let bundles = staged.map(\.version.bundle)
        // The change is committed; garbage that can't be collected now is collected later.
        try? collector.collect((bundles + released).map(\.identifier))
        return bundles
    }

    /// Replaces the files of an installed version by those of a package with the same seal, atomically.
    ///
    /// - Returns: the version's new record in the registry.
    func putAnew(_ bundle: PluginBundle, from package: SealedPackage) throws(AtriumError) -> PluginBundle {
        try collector.sweepStaging()
        try requireSpace(for: [package])
        let (version, folder) = try unpack(package)
        defer { try? FileSystem.remove(folder) }
        let (new, old) = (version.bundle.seal, bundle.seal)
        // Another host stores another library under the same seal.
        let isRecordedAnew = new.keyID != old.keyID || new.libraryDigest != old.libraryDigest
        // Before the files are replaced: after an interruption they are as invalid as before, and the next install repeats this.
        if isRecordedAnew { try registry.versions.recordSeal(of: version.bundle) }
        do {
            _ = try place(version, from: folder)
        } catch {
            if isRecordedAnew { try? registry.versions.recordSeal(of: bundle) }
            throw error
        }
        return isRecordedAnew ? version.bundle : bundle
    }

    /// Commits changes to the registry atomically, and informs the observer of the resulting transitions.
    ///
    /// - Returns: the versions that were removed from the registry, to be cleared.
    /// - Throws: as ``Registry/commit(_:)``.
    package func commit(
        _ changes: [RegistryChange], erasing erased: [BundleIdentifier] = []
    ) throws(AtriumError) -> [PluginBundle] {
        if changes.isEmpty { return [] }
        let before = try changes.map(\.identifier).map(registry.active.bundle)
        let staged = Dictionary(try registry.staged.all().map { ($0.identifier, $0) }) { $1 }
        return try lifecycles.committing.withLock { _ throws(AtriumError) in
            let released = try registry.commit(changes, erasing: erased)
            for (change, before) in zip(changes, before) {
                lifecycles.tell(change, after: before, staged: staged[change.identifier])
            }
            return released
        }
    }

    /// Makes versions active that are in place, while no process uses other data of theirs.
    ///
    /// - Parameter change: returns the change of the registry for a version.
    /// - Throws: as ``DataVersions/prepareSwitch(to:staging:keepingWayBack:)`` and ``commit(_:erasing:)``.
    func activate(
        _ versions: [PlacedVersion], by change: (PlacedVersion) -> RegistryChange
    ) async throws(AtriumError) -> [InstallReport] {
        let before = try registry.active.versions(of: versions.map(\.bundle.identifier))
        let locks = try await data.prepareSwitch(to: versions.map { ($0.manifest, $0.bundle.digest) })
        defer { for lock in locks { lock.release() } }
        let released = try commit(versions.map(change))
        await running.replace(by: versions.map(\.bundle))
        try? collector.collect(released.map(\.identifier))
        return versions.map { InstallReport(bundle: $0.bundle, before: before[$0.bundle.identifier]) }
    }

    /// Commits changes, and deletes the versions that were removed from the registry, or leaves that to the next collection.
    func commitAndClear(_ changes: [RegistryChange]) throws(AtriumError) {
        let released = try commit(changes)
        try? collector.collect(released.map(\.identifier))
    }

    private func requireSpace(for packages: [SealedPackage]) throws(AtriumError) {
        // Files occupy whole blocks, and the registry's journal needs space too.
        let need = packages.reduce(UInt64(1 << 20)) { $0 + $1.size + UInt64($1.stored.files.count) * 4096 }
        do {
            try FileSystem.requireSpace(need, at: sandbox.staging)
        } catch {
            // Shared files need no space. Determining their size costs as much as extracting them, so it is done only now.
            var shared: UInt64 = 0
            for package in packages {
                let unchanged = try unchangedFiles(for: package.manifest.identity.identifier)
                shared += unchanged?.size(sharedWith: package.seal, in: sandbox.staging) ?? 0
            }
            guard shared > 0 else { throw error }
            try FileSystem.requireSpace(need - shared, at: sandbox.staging)
        }
    }

    /// Returns the files that a new version of a bundle may share.
    private func unchangedFiles(for identifier: BundleIdentifier) throws(AtriumError) -> UnchangedFiles? {
        try registry.active.version(of: identifier).flatMap { UnchangedFiles(of: sandbox.folder(of: $0)) }
    }

    private func unpack(_ package: SealedPackage) throws(AtriumError) -> StagedVersion {
        let identity = package.manifest.identity
        let known = try registry.versions.all(of: identity.identifier)
        lifecycles.tell(identity, .known)
        let folder = sandbox.staging.appending("\(identity.identifier)-\(package.digest.prefix(12))-\(processSerial())")
        do {
            let unchanged = try unchangedFiles(for: identity.identifier)
            try package.extract(to: folder, sharing: unchanged) { done, total in
                lifecycles.tell(identity, .downloading(done: done, total: total, .package))
            }
        } catch {
            try? FileSystem.remove(folder)
            lifecycles.tell(identity, .removed)
            throw error
        }
        lifecycles.tell(identity, .staged)
        var bundle = PluginBundle(
            package.manifest, digest: package.digest, size: Int64(clamping: package.size),
            installedAt: Clock.now(), seal: SealRecord(of: package.manifest, package.seal, by: package.keyID))
        // A version that has run successfully before keeps that record when it is installed again, unless the library is another host's.
        let installed = known.first { $0 == bundle }
        if installed?.seal.libraryDigest == bundle.seal.libraryDigest { bundle.hasRunSince = installed?.hasRunSince }
        return (PlacedVersion(bundle, package.manifest, source: package.manifestSource), folder)
    }

    /// Moves versions into place, makes the last checks, and commits them, or moves them back when that fails.
    private func place<R>(
        _ staged: [StagedVersion], _ commit: () throws(AtriumError) -> R
    ) throws(AtriumError) -> R {
        var placed: [() -> Void] = []
        let isFirst = try registry.begin()
        do {
            for (version, folder) in staged { placed.append(try place(version, from: folder)) }
            for (version, _) in staged { try policy.requireInstall(of: version) }
            return try commit()
        } catch {
            registry.disconnect()
            for (undo, (version, _)) in zip(placed, staged).reversed() {
                let bundle = version.bundle
                // A commit may be on the disk although it failed; then, or when that is unknown, the folder stays.
                guard let known = try? registry.versions.all(of: bundle.identifier), !known.contains(bundle)
                else { continue }
                undo()
            }
            if isFirst { registry.removeIfUnused() }
            throw error
        }
    }
}
