/// The folders a bundle may write, kept apart from its code: an update or an uninstall leaves them alone.
public struct BundleContainer: Sendable {
    /// The container's root.
    public let root: FilePath
    private let groups: [String: FilePath]

    /// A container at `root`, with the app groups its manifest asks for, by name.
    public init(root: FilePath, groups: [String: FilePath] = [:]) {
        self.root = root
        self.groups = groups
    }

    /// What the user made and must not lose.
    public var documents: FilePath { root.appending("Documents") }
    /// What can be made again.
    public var caches: FilePath { root.appending("Library/Caches") }
    /// What is of no use after the process.
    public var temporary: FilePath { root.appending("tmp") }

    /// The folder shared by the plugins of an app group; `nil` for a group that the manifest does not name.
    public func group(_ name: String) -> FilePath? {
        groups[name]
    }
}
