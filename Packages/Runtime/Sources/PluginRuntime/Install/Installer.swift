import PluginCore
import Zip

/// Brings packages into the sandbox and takes versions out of it. Every step before the registry's transaction happens
/// where nobody looks, so that whatever interrupts it leaves the old version or the new one.
struct Installer: Sendable {
    let sandbox: Sandbox
    let registry: Registry
    let observer: LifecycleObserver

    /// Installs a package and makes it active: unpack and sync in Staging, judge, move into place, switch. The sandbox's
    /// folders are there; when it throws, it has left nothing.
    ///
    /// - Parameter permit: has the last word before the switch.
    func install(
        _ package: CatalogPackage, permitting permit: (Manifest) throws(AtriumError) -> Void
    ) throws(AtriumError) -> PluginBundle {
        sweepStaging()
        let identity = package.manifest.identity
        var lifecycle = BundleLifecycle(identity, observer: observer)
        let digest = try SHA256.digest(of: package.path)
        let staged = sandbox.staging.appending("\(identity.identifier)-\(digest.prefix(12))-\(processSerial())")
        // What is left there after a success is what the new version took the place of.
        defer { try? FileSystem.remove(staged) }
        try extract(package, to: staged, &lifecycle)
        lifecycle.stage()
        let source = try FileSystem.bytes(of: staged.appending("manifest.json"), limit: ManifestReader.sizeLimit)
        let resolver = LibraryResolver(sandbox: sandbox, registry: registry)
        let manifest = try StagedBundle(
            folder: staged, source: source, converters: registry.converters, resolver: resolver
        ).judge(package)
        lifecycle.verify()
        let bundle = PluginBundle(
            manifest, digest: digest, size: FileSystem.size(of: staged), installedAt: Clock.now()
        )
        let outdated = try place(staged, bundle, manifest, source, permit)
        lifecycle.install()
        discard(outdated)
        return bundle
    }

    /// Takes all versions of a bundle that the registry has let go of from the disk, and its data if asked to.
    func clear(_ installed: InstalledBundle, deleteData: Bool) throws(AtriumError) {
        let identifier = installed.active.identity.identifier
        discard([installed.active, installed.previous].compactMap { $0 })
        // What the registry did not name goes too: the rest of an install that was never made active.
        remove(sandbox.plugins.appending(identifier))
        if deleteData { try FileSystem.remove(sandbox.container(of: identifier)) }
    }

    /// Removes what earlier work left half done.
    func sweepStaging() {
        guard let names = try? FileSystem.names(in: sandbox.staging) else { return }
        for name in names { try? FileSystem.remove(sandbox.staging.appending(name)) }
    }

    private func extract(
        _ package: CatalogPackage, to folder: FilePath, _ lifecycle: inout BundleLifecycle
    ) throws(AtriumError) {
        do {
            try ZipArchive(path: package.path.string).extract(to: folder.string, durability: .synced) { done, total in
                lifecycle.download(done: done, total: total)
            }
        } catch {
            throw .invalidPackage(package.path, error)
        }
    }

    /// Moves the judged folder into its place and makes it active; returns the versions that are of no use any more.
    private func place(
        _ staged: FilePath, _ bundle: PluginBundle, _ manifest: Manifest, _ source: [UInt8],
        _ permit: (Manifest) throws(AtriumError) -> Void
    ) throws(AtriumError) -> [PluginBundle] {
        let made = try sandbox.prepare(for: manifest)
        let folder = sandbox.folder(of: bundle.identity, digest: bundle.digest)
        do throws(AtriumError) {
            // A folder of that name is the version to go back to, or the rest of an install that was never made active.
            // It stays, whole, in one of two places, until the registry has decided.
            let isReplacement = FileSystem.item(at: folder) != nil
            try swap(staged, folder, isReplacement)
            do throws(AtriumError) {
                try FileSystem.sync(folder.parent)
                try FileSystem.sync(folder.parent.parent)
                try permit(manifest)
                return try registry.activate(bundle, manifest, source: source)
            } catch {
                try? swap(folder, staged, isReplacement)
                throw error
            }
        } catch {
            FileSystem.removeIfEmpty(made)
            throw error
        }
    }

    private func swap(_ source: FilePath, _ target: FilePath, _ isReplacement: Bool) throws(AtriumError) {
        if isReplacement {
            try FileSystem.exchange(source, target)
        } else {
            try FileSystem.rename(source, to: target)
        }
    }

    /// Removes versions that the registry no longer names.
    private func discard(_ bundles: [PluginBundle]) {
        for bundle in bundles {
            remove(sandbox.folder(of: bundle.identity, digest: bundle.digest))
            var lifecycle = BundleLifecycle(bundle.identity, from: .retired, observer: observer)
            lifecycle.remove()
        }
    }

    /// Removes a folder that the registry does not name: out of sight first. What can not be removed now is swept later.
    private func remove(_ folder: FilePath) {
        let away = sandbox.staging.appending("discarded-\(processSerial())")
        guard (try? FileSystem.rename(folder, to: away)) != nil else { return }
        try? FileSystem.remove(away)
    }
}
