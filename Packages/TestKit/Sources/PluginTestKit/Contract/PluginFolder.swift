import BundleFormat
internal import FoundationEssentials
public import PluginCore
public import PluginRouter
internal import PluginRuntime

/// The source folder of a plugin with its manifest and its resources.
public struct PluginFolder: Sendable {
    /// The folder that contains the manifest.
    public let root: FilePath

    /// Finds the plugin that a source file belongs to: the nearest folder above the file with a manifest.
    public init(of file: String = #filePath) {
        var folder = FilePath(file).parent
        while !FileManager.default.fileExists(atPath: folder.appending("manifest.json").string) {
            let parent = folder.parent
            guard parent != folder, parent != "." else { break }
            folder = parent
        }
        root = folder
    }

    /// Creates a plugin folder from a path.
    public init(root: FilePath) {
        self.root = root
    }

    /// The folder of the resources.
    public var resources: FilePath { root.appending("Resources") }

    /// Reads a manifest of the plugin as its author has written it. It need not contain what the code declares.
    ///
    /// - Parameters:
    ///   - path: The path in the folder. Releases may have separate manifests.
    ///   - converters: The types of captures that the intended hosts register.
    /// - Throws: ``AtriumError`` with code `manifestInvalid` and all problems that a host would find.
    public func manifest(
        _ path: String = "manifest.json", converters: RouteConverters = .standard
    ) throws(AtriumError) -> Manifest {
        try completed(path, with: nil, converters)
    }

    /// Returns a manifest of the plugin as `bundletool pack` completes it by the declarations of the principal object's type.
    ///
    /// - Throws: ``AtriumError`` with code `manifestInvalid`, all problems, and all differences between manifest and code.
    @MainActor
    public func manifest(
        _ path: String = "manifest.json", of type: (some BundleDelegate).Type, converters: RouteConverters = .standard
    ) throws(AtriumError) -> Manifest {
        try completed(path, with: PrincipalType(type).declarations, converters)
    }

    private func completed(
        _ path: String, with code: BundleDeclarations?, _ converters: RouteConverters
    ) throws(AtriumError) -> Manifest {
        let file = root.appending(path).string
        let bytes: Data
        do {
            bytes = try Data(contentsOf: URL(filePath: file))
        } catch {
            throw AtriumError(.manifestInvalid, file, reason: "fileUnreadable")
        }
        return try CompletedManifest([UInt8](bytes), of: file, with: code, converters: converters).manifest
    }
}
