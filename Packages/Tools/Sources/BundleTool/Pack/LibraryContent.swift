import Console
import BundleFormat
import HostSystem
import PluginCore
import Preflight

/// A built library as it is packed, without search paths on the machine that built it.
struct LibraryContent {
    let path: FilePath
    let bytes: [UInt8]

    /// Creates the content of a library.
    ///
    /// - Parameter built: all bytes of the file.
    init(path: FilePath, built: [UInt8]) {
        self.path = path
        bytes = SearchPath.removingForeign(from: built)
    }

    /// Reads a library.
    init(reading path: FilePath, remedy: String) throws {
        self.init(path: path, built: try Files.bytes(of: path, limit: LibraryPreflight.sizeLimit, remedy: remedy))
    }
}

/// A library as it is packed, with its file name in the package.
struct AssessedLibrary {
    let platform: String
    let entry: String
    let content: LibraryContent
    let report: LibraryReport

    /// Assesses a library as a host does.
    ///
    /// - Parameters:
    ///   - entry: its name in the package; `nil` for the bundle's own library on this machine, which keeps its name.
    ///   - manifest: the bundle's manifest, if it could be read.
    ///   - linked: the libraries that it links.
    ///   - platform: its platform or build.
    init(
        _ content: LibraryContent, as entry: String? = nil, in manifest: Manifest?, with linked: LibraryDependencies,
        for platform: String = Platform.triple
    ) {
        (self.platform, self.entry, self.content) = (platform, entry ?? content.path.lastComponent, content)
        if let manifest, let name = entry ?? manifest.entry {
            report = LibraryPreflight.validate(
                libraryOf: manifest, named: name, content: content.bytes, dependencies: linked, platform: platform)
        } else {
            report = LibraryPreflight.validate(
                content.bytes, named: self.entry, dependencies: linked, platform: platform)
        }
    }

    /// The place of the library in the package, without the folder `lib`.
    var place: String { "\(platform)/\(entry)" }
    /// The name of the library in a list of problems.
    var name: String { platform == Platform.triple ? entry : place }
    /// The error with which hosts of the platform would reject the library, if any.
    var refusal: AtriumError? { report.refusal(of: content.path.string) }
}

/// The built libraries of a bundle for a platform or build.
struct PlatformLibraries {
    /// The platform or build.
    let platform: String
    /// The bundle's own library, if there is one.
    let library: FilePath?
    /// The libraries of its extensions that do not lie beside its own.
    let extensionLibraries: [FilePath]

    /// Reads and assesses the library of each extension.
    ///
    /// - Throws: ``CommandError`` for a missing library, or for one that no extension has.
    func extensions(
        of manifest: Manifest, named entries: [String], with linked: LibraryDependencies
    ) throws -> [AssessedLibrary] {
        if let other = extensionLibraries.first(where: { !entries.contains($0.lastComponent) }) {
            throw CommandError(
                .usage, other, code: "libraryUnwanted",
                reason: entries.isEmpty ? "extensionNotDeclared" : "extensionLibraryUnwanted",
                ["identity": "\(manifest.identity)", "library": "\(other.lastComponent)", "entries": .list(entries)])
        }
        return try entries.map { entry in
            let named = extensionLibraries.first { $0.lastComponent == entry }
            guard let path = named ?? library?.parent.appending(entry), named != nil || path.exists
            else {
                throw CommandError(
                    .usage, manifest.identity, code: "libraryNeeded",
                    reason: LibraryBuild(platform).platform == Platform.triple
                        ? "extensionLibraryNeeded" : "platformLibraryNeeded",
                    ["entry": "\(entry)", "platform": "\(platform)"])
            }
            let content = try LibraryContent(reading: path, remedy: "extension")
            return AssessedLibrary(content, as: entry, in: manifest, with: linked, for: platform)
        }
    }

    /// Reads and checks all libraries for hosts other than this machine's, as far as that is possible here: their machine, format, Core and
    /// compiler.
    ///
    /// - Throws: ``CommandError`` for a missing library, or for a library of a bundle without code.
    func assessed(for manifest: Manifest) throws -> [AssessedLibrary] {
        guard let library else { return [] }
        guard let entry = manifest.entry else {
            throw CommandError.libraryUnwanted(manifest.identity, library: library)
        }
        let own = try LibraryContent(
            reading: library, remedy: "build the plugin for \(platform), and specify its library")
        return try [AssessedLibrary(own, as: entry, in: manifest, with: .none, for: platform)]
            + extensions(of: manifest, named: manifest.libraries.filter { $0 != entry }, with: .none)
    }
}
