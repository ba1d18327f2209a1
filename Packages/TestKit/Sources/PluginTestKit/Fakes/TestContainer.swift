internal import FoundationEssentials
public import PluginCore

/// A temporary container with the folders of a real one.
///
/// It is removed with the last context that uses it, or at the latest when the process exits. Two contexts with one container simulate the
/// same bundle in two processes:
///
/// ```swift
/// let container = try TestContainer()
/// let before = try TestBundleContext(of: NotesBundle.self, container: container)
/// let after = try TestBundleContext(of: NotesBundle.self, container: container)
/// ```
public final class TestContainer: Sendable {
    /// The container as a bundle sees it.
    public let container: BundleContainer

    /// Creates the folders in the system's temporary folder.
    ///
    /// - Throws: The errors of the file system.
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
