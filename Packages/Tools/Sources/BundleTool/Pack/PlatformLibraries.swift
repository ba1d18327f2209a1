import HostSystem
public import PluginCore
import Preflight

/// The built libraries of a bundle for a platform other than this machine's.
public struct PlatformLibraries: Sendable {
    /// The triple of the platform.
    public let platform: String
    /// The bundle's own library.
    public let library: FilePath
    /// The libraries of its extensions that do not lie beside its own.
    public let extensionLibraries: [FilePath]

    /// Names the libraries for a platform.
    public init(platform: String, library: FilePath, extensionLibraries: [FilePath] = []) {
        self.platform = platform
        self.library = library
        self.extensionLibraries = extensionLibraries
    }

    /// A library as it is packed, with its file name in the package.
    struct Assessed {
        let platform: String
        let entry: String
        let content: LibraryContent
        let report: LibraryReport

        /// The place of the library in the package, without the folder `lib`.
        var place: String { "\(platform)/\(entry)" }

        /// The error with which hosts of the platform would reject the library, if any.
        var refusal: AtriumError? { report.refusal(of: content.path.string) }
    }

    /// Reads and checks all libraries, as far as that is possible on this machine: their machine, format, Core and compiler.
    ///
    /// - Throws: ``PackError`` for a missing library, or for a library of a bundle without code.
    func assessed(for manifest: Manifest) throws -> [Assessed] {
        guard let entry = manifest.entry else {
            throw PackError.libraryUnwanted(manifest.identity, library: library)
        }
        let own = try LibraryContent(
            reading: library, remedy: "build the plugin for \(platform), and specify its library")
        let extensions = try ExtensionLibraries(given: extensionLibraries, beside: library, platform: platform)
            .contents(for: manifest.extensions.map(\.entry), of: manifest.identity)
        return [Assessed(own, as: entry, of: manifest, for: platform)]
            + extensions.map { Assessed($0.content, as: $0.entry, of: manifest, for: platform) }
    }
}

extension PlatformLibraries.Assessed {
    fileprivate init(_ content: LibraryContent, as entry: String, of manifest: Manifest, for platform: String) {
        self.platform = platform
        self.entry = entry
        self.content = content
        report = content.report(in: manifest, named: entry, with: .none, for: platform)
    }
}
