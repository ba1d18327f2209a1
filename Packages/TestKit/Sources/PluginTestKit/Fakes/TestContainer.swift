internal import BundleStorage
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

    private let root: FilePath
    private let groups: [String]

    /// Creates the folders in the system's temporary folder.
    ///
    /// - Parameter groups: The names of the app groups that the manifest requests, each of which gets a folder.
    /// - Throws: The errors of the file system.
    public init(groups: [String] = []) throws {
        let temporary = FilePath(FileManager.default.temporaryDirectory.path)
        let root = temporary.appending("atrium-test-\(UUID().uuidString)")
        self.root = root
        Leftovers.add(root)
        self.groups = groups
        container = BundleContainer(root: root.appending("data"))
        let folders = [container.documents, container.caches, container.temporary]
        for folder in folders + groups.map({ root.appending("groups/\($0)") }) {
            try FileManager.default.createDirectory(atPath: folder.string, withIntermediateDirectories: true)
        }
    }

    /// Returns the app groups among some names for which the container has a folder.
    func appGroups(_ names: [String], report: @escaping @Sendable (AtriumError) -> Void) -> [AppGroup] {
        names.filter(groups.contains).map { name in
            AppGroup(name, storage: AppGroupFolder(at: root.appending("groups/\(name)"), report: report))
        }
    }

    deinit {
        Leftovers.remove(root)
    }
}
