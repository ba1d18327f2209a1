import PluginCore
import PluginRouter
import Signing

/// Brings packages into the sandbox. Every step before the registry's transaction happens where nobody looks, so that whatever
/// interrupts it leaves the old versions or the new ones; of several bundles that change together, all or none.
struct Installer: Sendable {
    /// What becomes of a package that has been brought in.
    enum Purpose {
        /// It becomes active.
        case activate
        /// It becomes active when a host starts next.
        case stage
    }

    let sandbox: Sandbox
    let registry: Registry
    let lifecycles: Lifecycles

    var collector: Collector { Collector(sandbox: sandbox, registry: registry, lifecycles: lifecycles) }

    /// Installs packages and makes them active in one step: unpack and sync in Staging, judge, move into place, switch. The
    /// sandbox's folders are there; when it throws, it has left nothing.
    ///
    /// - Parameters:
    ///   - packages: sealed by teams that the host trusts; those that are required before those that require them.
    ///   - supply: by which request they are brought; `nil` when somebody asked for them by name.
    ///   - reasons: why bundles come that are installed for their own sake; the others come because those require them.
    ///   - awaited: what is staged already, for those that become active with it.
    ///   - others: what else the same transaction changes.
    ///   - permit: has the last word before the switch, for each.
    /// - Returns: the versions that came, in the order of the packages.
    @discardableResult
    func install(
        _ packages: [SealedPackage], for purpose: Purpose = .activate, by supply: String? = nil,
        because reasons: [String: InstallReason] = [:], with awaited: [PlacedVersion] = [],
        besides others: [RegistryChange] = [],
        permitting permit: (Manifest) throws(AtriumError) -> Void
    ) throws(AtriumError) -> [PluginBundle] {
        try collector.sweepStaging()
        if packages.contains(where: { $0.manifest.entry != nil }) {
            try FileSystem.requireExecution(in: sandbox.plugins)
        }
        try requireSpace(for: packages)
        var staged: [StagedBundle] = []
        // What is left there after a success is what a new version took the place of.
        defer {
            for index in staged.indices {
                try? FileSystem.remove(staged[index].folder)
                staged[index].discard()
            }
        }
        for package in packages {
            var bundle = try unpack(package, by: supply)
            bundle.version.reason = reasons[package.manifest.identity.identifier] ?? .required
            staged.append(bundle)
        }
        let waiting = awaited.map { (version: $0, folder: sandbox.folder(of: $0.bundle)) }
        let resolver = LibraryResolver(
            sandbox: sandbox, registry: registry, comingWith: waiting + staged.map { ($0.version, $0.folder) })
        for index in staged.indices {
            try staged[index].judge(with: resolver)
            staged[index].lifecycle.verify(team: staged[index].version.bundle.seal.team)
        }
        let released = try place(staged, permit) { () throws(AtriumError) in
            try commit(others + staged.map { purpose == .stage ? .stage($0.version) : .activate($0.version) })
        }
        for index in staged.indices {
            switch purpose {
            case .activate: staged[index].lifecycle.install()
            case .stage: staged[index].lifecycle.wait()
            }
        }
        let identifiers = staged.map(\.version.bundle.identity.identifier) + others.map(\.identifier)
        // The switch is made; what cannot be collected now is collected later.
        try? collector.collect(identifiers + released.map(\.identity.identifier))
        return staged.map(\.version.bundle)
    }

    /// Puts an installed version in its place anew, from a package with the same seal; what lay there goes in the same step.
    ///
    /// - Returns: the version, as the registry knows it now.
    func putAnew(_ bundle: PluginBundle, from package: SealedPackage) throws(AtriumError) -> PluginBundle {
        try collector.sweepStaging()
        try requireSpace(for: [package])
        let staged = try unpack(package)
        defer { try? FileSystem.remove(staged.folder) }
        let isSignedAnew = staged.version.bundle.seal.keyID != bundle.seal.keyID
        // Before its files: after an interruption these are as unsound as they were, and the next install goes on.
        if isSignedAnew { try registry.keep(signerOf: staged.version.bundle) }
        do throws(AtriumError) {
            _ = try Placement(of: staged, in: sandbox)
        } catch {
            if isSignedAnew { try? registry.keep(signerOf: bundle) }
            throw error
        }
        return isSignedAnew ? staged.version.bundle : bundle
    }

    /// Has the registry make changes, all of them or none, and tells what that means for versions.
    ///
    /// - Throws: as ``Registry/commit(_:)``.
    func commit(
        _ changes: [RegistryChange], erasing erased: [String] = []
    ) throws(AtriumError) -> [PluginBundle] {
        var before: [InstalledBundle?] = []
        for change in changes { before.append(try registry.installed(change.identifier)) }
        let staged = Dictionary(try registry.staged().map { ($0.identity.identifier, $0) }) { $1 }
        let released = try registry.commit(changes, erasing: erased)
        for (change, before) in zip(changes, before) {
            lifecycles.tell(change, after: before, staged: staged[change.identifier])
        }
        return released
    }

    /// Takes off the disk what the registry has let go of, and data if asked to.
    func clear(_ released: [PluginBundle], deleteDataOf identifiers: [String] = []) throws(AtriumError) {
        try collector.collect(released.map(\.identity.identifier))
        for identifier in identifiers { try FileSystem.remove(try sandbox.container(of: identifier)) }
    }

    private func requireSpace(for packages: [SealedPackage]) throws(AtriumError) {
        // Files take whole blocks, and the registry writes its journal beside itself.
        let need = packages.reduce(UInt64(1 << 20)) { $0 + $1.size + UInt64($1.seal.files.count) * 4096 }
        do throws(AtriumError) {
            try FileSystem.requireSpace(need, at: sandbox.staging)
        } catch {
            // What is shared takes none. To know how much that is costs as much as to unpack it, so that is asked only now.
            var shared: UInt64 = 0
            for package in packages {
                let unchanged = try unchangedFiles(for: package.manifest.identity.identifier)
                shared += unchanged?.size(sharedWith: package.seal, in: sandbox.staging) ?? 0
            }
            guard shared > 0 else { throw error }
            try FileSystem.requireSpace(need - shared, at: sandbox.staging)
        }
    }

    /// The files that a new version of a bundle may share.
    private func unchangedFiles(for identifier: String) throws(AtriumError) -> UnchangedFiles? {
        try registry.active(identifier).flatMap { UnchangedFiles(of: sandbox.folder(of: $0)) }
    }

    private func unpack(_ package: SealedPackage, by supply: String? = nil) throws(AtriumError) -> StagedBundle {
        let identity = package.manifest.identity
        let known = try registry.versions(of: identity.identifier)
        var lifecycle = lifecycles.begin(identity)
        let folder = sandbox.staging.appending(
            "\(identity.identifier)-\(package.digest.prefix(12))-\(processSerial())")
        do throws(AtriumError) {
            let unchanged = try unchangedFiles(for: identity.identifier)
            try package.extract(to: folder, sharing: unchanged) { done, total in
                lifecycle.download(done: done, total: total)
            }
        } catch {
            try? FileSystem.remove(folder)
            lifecycle.remove()
            throw error
        }
        lifecycle.stage()
        var bundle = PluginBundle(
            package.manifest, digest: package.digest, size: Int64(clamping: package.size),
            installedAt: Clock.now(),
            seal: SealRecord(
                team: package.seal.team, keyID: package.keyID.description, libraryDigest: package.library?.sha256,
                libraryStamp: nil)
        )
        // What ran here has run here, though it is installed once more.
        bundle.provenAt = known.first { $0 == bundle }?.provenAt
        return StagedBundle(
            folder: folder,
            version: PlacedVersion(
                bundle: bundle, manifest: package.manifest, source: package.manifestSource, supply: supply),
            lifecycle: lifecycle
        )
    }

    /// The folders of some bundles that the registry names as it is on the disk now; `nil` when that cannot be known.
    private func namedFolders(of staged: [StagedBundle]) -> Set<String>? {
        registry.disconnect()
        var named: Set<String> = []
        for bundle in staged {
            guard let versions = try? registry.versions(of: bundle.version.bundle.identity.identifier) else {
                return nil
            }
            named.formUnion(versions.map { sandbox.folder(of: $0).string })
        }
        return named
    }

    /// Moves versions into their places, has them committed, and moves them back when that fails.
    private func place<R>(
        _ staged: [StagedBundle], _ permit: (Manifest) throws(AtriumError) -> Void,
        _ commit: () throws(AtriumError) -> R
    ) throws(AtriumError) -> R {
        var placed: [Placement] = []
        let isFirst = try registry.begin()
        do throws(AtriumError) {
            for bundle in staged { placed.append(try Placement(of: bundle, in: sandbox)) }
            for bundle in staged { try permit(bundle.version.manifest) }
            return try commit()
        } catch {
            let named = namedFolders(of: staged)
            for (placement, bundle) in zip(placed, staged).reversed() {
                let folder = sandbox.folder(of: bundle.version.bundle).string
                // A commit can be reported as failed and be on the disk; then, and when nobody can tell, the folder stays.
                guard let named, !named.contains(folder) else { continue }
                placement.undo()
            }
            if isFirst { registry.removeIfUnused() }
            throw error
        }
    }
}
