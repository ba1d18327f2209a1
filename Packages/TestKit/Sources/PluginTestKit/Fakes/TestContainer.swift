internal import FoundationEssentials
public import PluginCore

/// A throwaway container folder, with `Documents`, `Library/Caches` and `tmp`. The folder goes with the last context
/// that was made on it, at the latest with the process.
///
/// Two contexts on one container are the same bundle in two processes:
///
/// ```swift
/// let container = try TestContainer()
/// let before = try TestBundleContext(container: container)
/// let after = try TestBundleContext(container: container)
/// ```
public final class TestContainer: Sendable {
    /// The container, as a bundle sees it.
    public let container: BundleContainer

    /// Makes the folders, below the system's temporary folder.
    ///
    /// - Throws: what the file system throws.
    public init() throws {
        let temporary = FilePath(FileManager.default.temporaryDirectory.path)
        container = BundleContainer(root: temporary.appending("atrium-test-\(UUID().uuidString)"))
        Leftovers.add(container.root)
        for folder in [container.documents, container.caches, container.temporary] {
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        }
    }

    deinit {
        Leftovers.remove(container.root)
    }
}
