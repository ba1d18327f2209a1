import PluginCore
import Registry
import Synchronization

/// The download of the packages for a change, several at a time, before the sandbox is locked.
struct PackageDownloader: Sendable {
    let sandbox: Sandbox
    let registry: Registry
    let lifecycles: Lifecycles

    /// The number of downloads at once; the others wait without open files and connections.
    private static let limit = 4

    /// Downloads those of some packages that aren't local.
    ///
    /// - Returns: The downloads as they have ended.
    /// - Throws: ``AtriumError`` with code `downloadFailed`. The other downloads are canceled then, and continue at the next attempt.
    func download(_ packages: [CatalogPackage]) async throws -> [BundleIdentity: PackageDownload] {
        try await withThrowingTaskGroup(of: (BundleIdentity, PackageDownload?).self) { group in
            var downloads: [BundleIdentity: PackageDownload] = [:]
            for (index, package) in packages.enumerated() {
                if index >= Self.limit, let ended = try await group.next() { downloads[ended.0] = ended.1 }
                group.addTask { (package.manifest.identity, try await download(package)) }
            }
            for try await ended in group { downloads[ended.0] = ended.1 }
            return downloads
        }
    }

    /// Downloads those of some packages that aren't local, each of them whether or not the others arrive.
    ///
    /// - Returns: The downloads as they have ended, and the versions whose packages could not be downloaded, sorted by identifier.
    /// - Throws: `CancellationError`.
    func downloadEach(
        _ packages: [CatalogPackage]
    ) async throws -> (downloads: [BundleIdentity: PackageDownload], failures: [SkippedVersion]) {
        var downloads: [BundleIdentity: PackageDownload] = [:]
        var failures: [SkippedVersion] = []
        await withTaskGroup(of: (BundleIdentity, Result<PackageDownload?, AtriumError>).self) { group in
            var ended: [(BundleIdentity, Result<PackageDownload?, AtriumError>)] = []
            for (index, package) in packages.enumerated() {
                if index >= Self.limit, let first = await group.next() { ended.append(first) }
                group.addTask {
                    do throws(AtriumError) {
                        return (package.manifest.identity, .success(try await download(package)))
                    } catch {
                        return (package.manifest.identity, .failure(error))
                    }
                }
            }
            for await next in group { ended.append(next) }
            for (identity, result) in ended {
                switch result {
                case .success(let download): downloads[identity] = download
                case .failure(let error): failures.append(SkippedVersion(identity, for: error))
                }
            }
        }
        // A canceled download has failed, too.
        try Task.checkCancellation()
        return (downloads, failures.sorted { $0.identity.identifier < $1.identity.identifier })
    }

    private func download(_ package: CatalogPackage) async throws(AtriumError) -> PackageDownload? {
        guard let download = package.download else { return nil }
        let identity = package.manifest.identity
        let lifecycle = Mutex(lifecycles.begin(identity))
        let last = Mutex<PackageDownload?>(nil)
        do throws(AtriumError) {
            try await download(installedVersions(of: identity.identifier)) { state in
                last.withLock { $0 = state }
                lifecycle.withLock { $0.download(state) }
            }
        } catch {
            lifecycle.withLock { $0.remove() }
            throw error
        }
        return last.withLock { $0 }
    }

    /// Returns the versions of a bundle that are in the sandbox.
    private func installedVersions(of identifier: BundleIdentifier) -> [DeltaSource] {
        // Without a readable registry there are no deltas, and the change fails for that reason.
        ((try? registry.versions.all(of: identifier)) ?? []).map {
            DeltaSource(folder: sandbox.folder(of: $0), sealDigest: $0.digest)
        }
    }
}
