import PluginCatalog
import PluginCore
import Synchronization

/// The download of the packages for a change, several at a time, before the sandbox is locked.
struct PackageDownloader: Sendable {
    let lifecycles: Lifecycles

    /// Downloads those of some packages that aren't local.
    ///
    /// - Throws: ``AtriumError`` with code `downloadFailed`. The other downloads are canceled then, and continue at the next attempt.
    func download(_ packages: [CatalogPackage]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for package in packages {
                guard let download = package.download else { continue }
                group.addTask {
                    let lifecycle = Mutex(lifecycles.begin(package.manifest.identity))
                    let total = UInt64(clamping: package.size)
                    do {
                        try await download { done in lifecycle.withLock { $0.download(done: done, total: total) } }
                    } catch {
                        lifecycle.withLock { $0.remove() }
                        throw error
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
