import Authoring
import BundleFormat
import ExtensionHost
import FoundationEssentials
import HostSystem
public import PluginCore
import PluginExtension
public import PluginRouter
import PluginRuntime

/// The source folder of a plugin with its manifest and its resources.
public struct PluginFolder: Sendable {
    /// The folder that contains the manifest.
    public let root: FilePath

    /// Finds the plugin that a source file belongs to: the nearest folder above the file with a manifest.
    public init(of file: String = #filePath) {
        let folder = FilePath(file).ancestor {
            FileManager.default.fileExists(atPath: $0.appending("manifest.json").string)
        }
        root = folder ?? FilePath(file).parent
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
        try completed(path, with: nil, [], converters)
    }

    /// Returns a manifest of the plugin as `bundletool pack` completes it by the declarations of the principal object's type.
    ///
    /// - Throws: ``AtriumError`` with code `manifestInvalid`, all problems, and all differences between manifest and code.
    @MainActor
    public func manifest(
        _ path: String = "manifest.json", of type: (some BundleDelegate).Type, converters: RouteConverters = .standard
    ) throws(AtriumError) -> Manifest {
        let type = PrincipalType(type)
        return try completed(path, with: type.declarations, type.extensionPoints, converters)
    }

    private func completed(
        _ path: String, with code: BundleDeclarations?, _ points: [ExtensionPointDeclaration],
        _ converters: RouteConverters
    ) throws(AtriumError) -> Manifest {
        let file = root.appending(path).string
        let bytes = try Result { try Data(contentsOf: URL(filePath: file)) }
            .mapError { _ in AtriumError(.manifestInvalid, file, reason: "fileUnreadable") }.get()
        return try CompletedManifest(
            [UInt8](bytes), of: file, with: code, ownPoints: points, converters: converters,
            checking: ExtensionRules(lacksCode: code == nil, lacksExtensionCode: true).check
        ).manifest
    }

    /// Returns the description of an entry function, found by its symbol in the built library as a host finds it.
    ///
    /// The library is the one next to the test bundle, where `swift test` puts the dynamic library products of the tested package.
    ///
    /// - Parameter library: The file name of an extension's library, or nil for the library of the plugin.
    /// - Throws: ``FixtureError`` if there is no library, and ``AtriumError`` if it has no entry function or a host would reject the entry.
    public func entry(of library: String? = nil) throws -> EntryDescription {
        let manifest = try manifest()
        guard let name = library ?? manifest.entry else { throw FixtureError("\(manifest.identity) has no library") }
        let file = try Self.builtLibrary(named: name)
        let opened = try DynamicLibrary(opening: file.string, at: file, after: [], of: manifest.identity)
        return try opened.entry(of: manifest.identity)
    }

    /// Returns the library next to the running test bundle.
    ///
    /// - Throws: ``FixtureError`` if it doesn't exist.
    static func builtLibrary(named name: String) throws -> FilePath {
        let bundle = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return try builtLibrary(named: name, beside: FilePath(bundle))
    }

    static func builtLibrary(named name: String, beside bundle: FilePath) throws -> FilePath {
        let library = bundle.parent.appending(name)
        guard FileManager.default.fileExists(atPath: library.string) else {
            throw FixtureError(
                "there is no \(name) beside the tests in \(bundle.parent); declare a library product of type .dynamic that "
                    + "is called so, or name the file with library:")
        }
        return library
    }
}
