import PluginCore
import Registry
import Synchronization

/// The download of the packages for a change, several at a time, before the sandbox is locked.
struct PackageDownloader: SandboxPart {
    let transactions: SandboxTransactions

    private typealias Ended = (identity: BundleIdentity, result: Result<PackageDownload?, AtriumError>)

    /// The number of downloads at once; the others wait without open files and connections.
    private static let limit = 4

    /// Downloads those of some packages that aren't local.
    ///
    /// - Parameter isEach: Whether each is downloaded although others fail. Otherwise a failure cancels the others, which continue at
    ///   the next attempt.
    /// - Returns: The downloads as they have ended, and the versions whose packages could not be downloaded, sorted by identifier.
    /// - Throws: ``AtriumError`` with code `downloadFailed` unless `isEach`, and `CancellationError`.
    func download(
        _ packages: [CatalogPackage], evenWithout isEach: Bool
    ) async throws -> (downloads: [BundleIdentity: PackageDownload], failures: [SkippedVersion]) {
        var downloads: [BundleIdentity: PackageDownload] = [:]
        var failures: [SkippedVersion] = []
        try await withThrowingTaskGroup(of: Ended.self) { group in
            func note(_ ended: Ended) throws {
                do {
                    downloads[ended.identity] = try ended.result.get()
                } catch {
                    guard isEach else { throw error }
                    failures.append(SkippedVersion(ended.identity, for: error))
                }
            }
            for (index, package) in packages.enumerated() {
                if index >= Self.limit, let ended = try await group.next() { try note(ended) }
                group.addTask { (package.manifest.identity, await result(of: package)) }
            }
            while let ended = try await group.next() { try note(ended) }
        }
        // A canceled download has failed, too.
        if isEach { try Task.checkCancellation() }
        return (downloads, failures.sorted { $0.identity.identifier < $1.identity.identifier })
    }

    private func result(of package: CatalogPackage) async -> Result<PackageDownload?, AtriumError> {
        guard let download = package.download else { return .success(nil) }
        let identity = package.manifest.identity
        // Without a readable registry there are no deltas, and the change fails for that reason.
        let installed = ((try? registry.versions.all(of: identity.identifier)) ?? []).map {
            DeltaSource(folder: sandbox.folder(of: $0), sealDigest: $0.digest)
        }
        let last = Mutex<PackageDownload?>(nil)
        lifecycles.tell(identity, .known)
        do {
            try await download(installed) { now in
                last.withLock { last in
                    last = now
                    lifecycles.tell(identity, .downloading(done: now.received, total: now.total, now.content))
                }
            }
            return .success(last.withLock { $0 })
        } catch {
            lifecycles.tell(identity, .removed)
            return .failure(error)
        }
    }
}
