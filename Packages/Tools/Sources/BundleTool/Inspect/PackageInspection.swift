import BundleFormat
public import Preflight
import Trust
public import PluginCore
import PluginRuntime

/// The contents of a package, determined without extracting it.
public struct PackageInspection: Sendable {
    /// A file in the package.
    public struct File: Hashable, Sendable {
        /// The path in the package.
        public let name: String
        /// The uncompressed size in bytes.
        public let size: UInt64
    }

    /// The path of the package.
    public let path: FilePath
    /// The size of the package in bytes.
    public let size: Int
    /// The SHA-256 digest of the package in lowercase hexadecimal.
    public let digest: String
    /// The package's manifest.
    public let manifest: Manifest
    /// A host's assessment of the library; `nil` for a bundle without code.
    public let library: LibraryReport?
    /// A host's assessment of each extension's library.
    public let extensionLibraries: [(entry: String, report: LibraryReport)]
    /// The platforms for which the package is sealed or has libraries, sorted by triple.
    public let platforms: [InspectedPlatform]
    /// The seal, validated except for the contents and the signer.
    public let seal: SealFacts
    /// The error with which every host denies the bundle access to its app groups; `nil` if none is known.
    public let groupRefusal: AtriumError?
    /// The files in the archive's order.
    public let files: [File]

    /// Reads a package.
    ///
    /// - Parameters:
    ///   - path: the path of the package.
    ///   - converters: the converters that its hosts register in addition to the standard ones.
    ///   - dependencies: the packages of the libraries that it links.
    ///   - hostLibraries: the libraries that its hosts offer in addition to those of Atrium.
    /// - Throws: ``PackError`` if the file doesn't exist, or `AtriumError` with code `packageInvalid`, `manifestInvalid`,
    ///   `dependencyUnmet`, `dependencyConflict` or `inputOutput`.
    public init(
        of path: FilePath, converters: [String] = [], dependencies: [FilePath] = [], hostLibraries: [FilePath] = []
    ) throws {
        guard case .file(let size) = Files.kind(of: path) else {
            throw PackError.notThere(path, .file, remedy: "specify a package; \"bundletool pack\" creates one")
        }
        let package = PackageFile(path: path)
        self.path = path
        self.size = size
        manifest = try package.manifest(converters: .standard(registering: converters))
        files = try package.files().map { File(name: $0.name, size: $0.size) }
        seal = SealFacts(of: path, converters: converters)
        let libraries = try LibraryDependencies(
            of: manifest, in: Files.packages(dependencies), hostLibraries: hostLibraries)
        library = try package.libraryReport(for: manifest, dependencies: libraries)
        var assessed: [(entry: String, report: LibraryReport)] = []
        for entry in manifest.extensions.map(\.entry) {
            let report = try package.libraryReport(for: manifest, named: entry, dependencies: libraries)
            if let report { assessed.append((entry, report)) }
        }
        extensionLibraries = assessed
        platforms = try InspectedPlatform.all(
            in: package, manifest, files: files.map(\.name), sealed: seal.package?.seal.platforms ?? [],
            own: (library, assessed))
        digest = try package.digest()
        do throws(AtriumError) {
            try AppGroupOwnership.requireOwn(in: manifest, team: seal.package?.seal.team)
            groupRefusal = nil
        } catch {
            groupRefusal = error
        }
    }

    /// The file name under which a catalog finds the package.
    public var catalogName: String { PackageFile.name(of: manifest.identity) }

    /// The languages that have a string table, sorted.
    public var languages: [String] {
        let suffix = ".lproj/Localizable.json"
        return files.map(\.name).filter { $0.hasPrefix("Resources/") && $0.hasSuffix(suffix) }
            .map { String($0.dropFirst("Resources/".count).dropLast(suffix.count)) }
            .filter { !$0.contains("/") && !$0.isEmpty }.sorted()
    }
}
