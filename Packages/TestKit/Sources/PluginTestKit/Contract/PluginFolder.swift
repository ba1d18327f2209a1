internal import FoundationEssentials
public import PluginCore
public import PluginRouter
internal import PluginRuntime

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

    /// Reads one of its manifests as a host does, so that a plugin's tests find whatever a host would refuse.
    ///
    /// - Parameters:
    ///   - path: where it is in the folder; releases may have one each.
    ///   - converters: the types that captures can ask for, as the hosts that the plugin is for register them.
    /// - Throws: ``AtriumError`` with code `manifestInvalid`, every problem included.
    public func manifest(
        _ path: String = "manifest.json", converters: RouteConverters = .standard
    ) throws(AtriumError) -> Manifest {
        let file = root.appending(path).string
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: file))
        } catch {
            throw AtriumError(.manifestInvalid, file, detail: "it cannot be read")
        }
        return try ManifestReader.read([UInt8](bytes), of: file, converters: converters)
    }
}
