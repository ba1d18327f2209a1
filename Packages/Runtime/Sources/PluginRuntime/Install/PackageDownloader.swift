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
    /// - Parameter isEach: Whether each is downloaded although others fail. Otherwise a failure cancels the others, which continue at
    ///   the next attempt.
    /// - Returns: The downloads as they have ended, and the versions whose packages could not be downloaded, sorted by identifier.
    /// - Throws: ``AtriumError`` with code `downloadFailed` unless `isEach`, and `CancellationError`.
    func download(
        _ packages: [CatalogPackage], evenWithout isEach: Bool
    ) async throws -> (downloads: [BundleIdentity: PackageDownload], failures: [SkippedVersion]) {
        typealias Ended = (BundleIdentity, Result<PackageDownload?, AtriumError>)
        var downloads: [BundleIdentity: PackageDownload] = [:]
        var failures: [SkippedVersion] = []
        try await withThrowingTaskGroup(of: Ended.self) { group in
            func note(_ ended: Ended?) throws {
                guard let (identity, result) = ended else { return }
                do throws(AtriumError) {
                    downloads[identity] = try result.get()
                } catch {
                    guard isEach else { throw error }
                    failures.append(SkippedVersion(identity, for: error))
                }
            }
            for (index, package) in packages.enumerated() {
                if index >= Self.limit { try note(await group.next()) }
                group.addTask {
                    do throws(AtriumError) {
                        return (package.manifest.identity, .success(try await download(package)))
                    } catch {
                        return (package.manifest.identity, .failure(error))
                    }
                }
            }
            while let ended = try await group.next() { try note(ended) }
        }
        // A canceled download has failed, too.
        if isEach { try Task.checkCancellation() }
        return (downloads, failures.sorted { $0.identity.identifier < $1.identity.identifier })
    }

    private func download(_ package: CatalogPackage) async throws(AtriumError) -> PackageDownload? {
        guard let download = package.download else { return nil }
        let identity = package.manifest.identity
        let state = Mutex((lifecycle: lifecycles.begin(identity), last: PackageDownload?.none))
        do throws(AtriumError) {
            try await download(installedVersions(of: identity.identifier)) { now in
                state.withLock {
                    $0.last = now
                    $0.lifecycle.advance(to: .downloading(done: now.received, total: now.total, now.content))
                }
            }
        } catch {
            state.withLock { $0.lifecycle.advance(to: .removed) }
            throw error
        }
        return state.withLock { $0.last }
    }

    /// Returns the versions of a bundle that are in the sandbox.
    private func installedVersions(of identifier: BundleIdentifier) -> [DeltaSource] {
        // Without a readable registry there are no deltas, and the change fails for that reason.
        ((try? registry.versions.all(of: identifier)) ?? []).map {
            DeltaSource(folder: sandbox.folder(of: $0), sealDigest: $0.digest)
        }
    }
}
