internal import FoundationEssentials
public import PluginCore

/// The source folder of a plugin, with its manifest and its resources.
public struct PluginFolder: Sendable {
    /// The folder that holds `manifest.json`.
    public let root: FilePath

    /// The plugin that a source file belongs to: the nearest folder above it that holds a `manifest.json`.
    public init(of file: String = #filePath) {
        var folder = FilePath(file).parent
        while !FileManager.default.fileExists(atPath: folder.appending("manifest.json").string) {
            let parent = folder.parent
            guard parent != folder, parent != "." else { break }
            folder = parent
        }
        root = folder
    }

    /// A plugin at a path.
    public init(root: FilePath) {
        self.root = root
    }

    /// The folder of its resources.
    public var resources: FilePath { root.appending("Resources") }

    /// Reads one of its manifests.
    ///
    /// - Parameter path: where it is in the folder; releases may have one each.
    /// - Throws: ``AtriumError`` with code `manifestInvalid`.
    public func manifest(_ path: String = "manifest.json") throws(AtriumError) -> Manifest {
        try ManifestFile.read(root.appending(path))
    }
}
