import PluginCore
import Zip

/// Brings packages into the sandbox and takes versions out of it. Every step before the registry's transaction happens
/// where nobody looks, so that whatever interrupts it leaves the old version or the new one.
struct Installer: Sendable {
    let sandbox: Sandbox
    let registry: Registry
    let observer: LifecycleObserver

    /// Installs a package and makes it active: unpack and sync in Staging, judge, move into place, switch.
    func install(_ package: CatalogPackage) throws(AtriumError) -> PluginBundle {
        let made = try sandbox.prepare()
        do throws(AtriumError) {
            sweepStaging()
            return try unpack(package)
        } catch {
            // A sandbox that was not there before is not there after.
            for folder in made.reversed() { FileSystem.removeIfEmpty(folder) }
            throw error
        }
    }

    /// Takes all versions of a bundle away, and its data if asked to.
    func uninstall(_ installed: InstalledBundle, deleteData: Bool) throws(AtriumError) {
        let identifier = installed.active.identity.identifier
        try registry.remove(installed)
        discard([sandbox.plugins.appending(identifier)])
        if deleteData { try FileSystem.remove(sandbox.container(of: identifier)) }
    }

    /// Removes what earlier work left half done.
    func sweepStaging() {
        guard let names = try? FileSystem.names(in: sandbox.staging) else { return }
        for name in names { try? FileSystem.remove(sandbox.staging.appending(name)) }
    }

    private func unpack(_ package: CatalogPackage) throws(AtriumError) -> PluginBundle {
        let identity = package.manifest.identity
        var lifecycle = BundleLifecycle(identity, observer: observer)
        let digest = try SHA256.digest(of: package.path)
        let staged = sandbox.staging.appending("\(identity.identifier)-\(digest.prefix(12))-\(processSerial())")
        do throws(AtriumError) {
            try extract(package, to: staged, &lifecycle)
            lifecycle.stage()
            let source = try FileSystem.bytes(of: staged.appending("manifest.json"), limit: ManifestReader.sizeLimit)
            let manifest = try StagedBundle(folder: staged, source: source).judge(package)
            lifecycle.verify()
            let bundle = PluginBundle(
                manifest, digest: digest, size: FileSystem.size(of: staged), installedAt: Clock.now()
            )
            let outdated = try place(staged, bundle, manifest, source)
            lifecycle.install()
            discard(outdated.map { sandbox.folder(of: $0.identity, digest: $0.digest) })
            return bundle
        } catch {
            try? FileSystem.remove(staged)
            throw error
        }
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

    /// Moves the judged folder into its place and makes it active.
    private func place(
        _ staged: FilePath, _ bundle: PluginBundle, _ manifest: Manifest, _ source: [UInt8]
    ) throws(AtriumError) -> [PluginBundle] {
        let folder = sandbox.folder(of: bundle.identity, digest: bundle.digest)
        let made = try FileSystem.makeFolders(folder.parent)
        try sandbox.prepareContainer(of: manifest)
        // A folder of that name is the same content, or the rest of an install that was never made active.
        let isReplacement = FileSystem.isFolder(folder)
        if isReplacement { try FileSystem.rename(folder, to: sandbox.staging.appending("replaced-\(processSerial())")) }
        try FileSystem.rename(staged, to: folder)
        try FileSystem.sync(folder.parent)
        try FileSystem.sync(folder.parent.parent)
        do throws(AtriumError) {
            return try registry.activate(bundle, manifest, source: source)
        } catch {
            if !isReplacement { try? FileSystem.remove(folder) }
            for folder in made.reversed() { FileSystem.removeIfEmpty(folder) }
            throw error
        }
    }

    /// Removes folders that the registry no longer names. What can not be removed now is no longer found either.
    private func discard(_ folders: [FilePath]) {
        for folder in folders {
            let away = sandbox.staging.appending("discarded-\(processSerial())")
            do throws(AtriumError) {
                try FileSystem.rename(folder, to: away)
                FileSystem.removeIfEmpty(folder.parent)
                try FileSystem.remove(away)
            } catch {
                continue
            }
        }
    }
}
