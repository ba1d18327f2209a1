/// The folders that a bundle may write to. They are separate from its code, so updating or uninstalling the bundle keeps them.
public struct BundleContainer: Sendable {
    /// The container's root.
    public let root: FilePath

    /// Creates a container at a root folder.
    ///
    /// - Parameter root: The folder that holds the bundle's data.
    public init(root: FilePath) {
        self.root = root
    }

    /// The folder for files that the user created and that cannot be regenerated.
    public var documents: FilePath { root.appending("Documents") }
    /// The folder for files that can be regenerated.
    public var caches: FilePath { root.appending("Library/Caches") }
    /// The folder for files that are needed only while the process runs.
    public var temporary: FilePath { root.appending("tmp") }
}
