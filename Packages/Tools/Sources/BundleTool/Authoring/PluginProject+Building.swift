import BundleFormat
import Console
import FoundationEssentials
import HostSystem
import PluginAuthoring
import PluginCore

extension SDK {
    /// The SDK to which this program belongs: the folder above that of the program.
    ///
    /// - Throws: ``AuthoringError`` if it isn't in an SDK.
    static func own() throws(AuthoringError) -> SDK {
        let program = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let sdk = SDK(root: FilePath(program).parent.parent)
        for folder in [sdk.modules, sdk.headers, sdk.libraries] where Files.kind(of: folder) != .folder {
            throw .noSDK(sdk.root)
        }
        guard case .file = Files.kind(of: sdk.hostapp) else { throw .noSDK(sdk.root) }
        return sdk
    }
}

extension PluginProject {
    /// The part of the manifest that a build needs. Everything else is read when the plugin is packed.
    struct Outline: Decodable {
        /// The identifier of the bundle.
        let identifier: String?
        /// The kind of the bundle.
        let kind: String?
        /// The name of the library.
        let entry: String?
    }

    /// Reads the outline of the manifest. An invalid manifest has an empty outline; `pack` reports its errors.
    func outline() throws -> Outline {
        let bytes = try Files.bytes(of: manifest, limit: ManifestReader.sizeLimit, remedy: "make the manifest smaller")
        return (try? StrictJSON.decode(Outline.self, from: bytes)) ?? Outline(identifier: nil, kind: nil, entry: nil)
    }

    /// Returns a plugin's folder, which is the working folder by default.
    ///
    /// - Throws: ``AuthoringError`` for a folder without a manifest.
    static func at(_ path: String?) throws(AuthoringError) -> PluginProject {
        let folder = FilePath(path ?? ".")
        guard path != "" else { throw .noPlugin(folder) }
        // The toolset and the host need absolute paths.
        let absolute =
            folder.string.hasPrefix("/")
            ? folder : FilePath(FileManager.default.currentDirectoryPath).appending(folder.string)
        let project = PluginProject(folder: absolute)
        guard case .file = Files.kind(of: project.manifest) else { throw .noPlugin(folder) }
        return project
    }

    /// Returns whether the plugin has code that is built from this folder.
    var hasPackage: Bool { if case .file = Files.kind(of: package) { true } else { false } }

    /// Runs a command of `swift` with the SDK of this program.
    ///
    /// - Throws: ``AuthoringError`` if the command fails.
    func runSwift(_ command: String, _ configuration: Configuration, _ words: [String] = [], isQuiet: Bool) throws {
        let sdk = try SDK.own()
        try Files.makeFolder(workFolder)
        try Files.replace(toolset, with: sdk.toolset().text(pretty: true) + "\n")
        let status = try InheritingProcess.run("swift", arguments(command, configuration) + words, isQuiet: isQuiet)
        guard status == 0 else { throw AuthoringError.programFailed("swift \(command)", status: status) }
    }

    /// Builds the plugin, unless it has no code.
    ///
    /// - Returns: The path of its library; `nil` for a bundle without code, and for a manifest that names none.
    /// - Throws: ``AuthoringError`` if the build fails, or doesn't build the library that the manifest names.
    func build(_ configuration: Configuration, isQuiet: Bool) throws -> FilePath? {
        let outline = try outline()
        guard hasPackage else {
            if outline.entry != nil || outline.kind == BundleKind.app.rawValue {
                throw AuthoringError.noPackage(folder)
            }
            return nil
        }
        guard let entry = outline.entry else {
            try runSwift("build", configuration, isQuiet: isQuiet)
            return nil
        }
        guard !entry.contains("/") else { throw AuthoringError.libraryNotBuilt(folder, entry: entry) }
        let library = library(entry, configuration)
        // A library of an earlier build, which the package no longer builds, must not be taken for a new one.
        Files.removeTree(library)
        try runSwift("build", configuration, isQuiet: isQuiet)
        guard case .file = Files.kind(of: library) else { throw AuthoringError.libraryNotBuilt(folder, entry: entry) }
        return library
    }
}
