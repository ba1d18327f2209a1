/// The folders that a bundle may write to. They are separate from its code, so updating or uninstalling the bundle keeps them.
public struct BundleContainer: Sendable {
    /// The container's root.
    public let root: FilePath
    private let groups: [String: FilePath]

    /// Creates a container at a root folder.
    ///
    /// - Parameters:
    ///   - root: The folder that holds the bundle's data.
    ///   - groups: The folders of the app groups that the manifest requests, by group name.
    public init(root: FilePath, groups: [String: FilePath] = [:]) {
        self.root = root
        self.groups = groups
    }

    /// The folder for files that the user created and that cannot be regenerated.
    public var documents: FilePath { root.appending("Documents") }
    /// The folder for files that can be regenerated.
    public var caches: FilePath { root.appending("Library/Caches") }
    /// The folder for files that are needed only while the process runs.
    public var temporary: FilePath { root.appending("tmp") }

    /// Returns the folder that the plugins of an app group share.
    ///
    /// - Returns: `nil` for a group that the manifest does not request.
    public func group(_ name: String) -> FilePath? {
        groups[name]
    }
}
