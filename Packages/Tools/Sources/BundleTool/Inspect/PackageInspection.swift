public import PluginCore
public import PluginRuntime

/// What is in a package, found out without unpacking it.
public struct PackageInspection: Sendable {
    /// A file in the package.
    public struct File: Hashable, Sendable {
        /// Its path in the package.
        public let name: String
        /// Its size in bytes, unpacked.
        public let size: UInt64
    }

    /// Where the package lies.
    public let path: FilePath
    /// The package's own size in bytes.
    public let size: Int
    /// The package's SHA-256, in lower-case hexadecimal.
    public let digest: String
    /// What it says about itself.
    public let manifest: Manifest
    /// What a host would say of its library; `nil` for a bundle without code.
    public let library: LibraryVerdict?
    /// Its seal: all but contents and signer is judged.
    public let seal: SealFacts
    /// Why no host lets the bundle into its app groups; `nil` when nothing is known against it.
    public let groupRefusal: AtriumError?
    /// Its files, in the archive's order.
    public let files: [File]

    /// Reads a package.
    ///
    /// - Parameters:
    ///   - path: where it lies.
    ///   - converters: the names that the hosts it is for register beside the standard ones.
    ///   - dependencies: packages of the libraries that it is linked with.
    ///   - hostLibraries: the libraries that its hosts offer beside those of Atrium.
    /// - Throws: ``PackError`` when there is none, `AtriumError` with code `packageInvalid`, `manifestInvalid`, `dependencyUnmet`,
    ///   `dependencyConflict` or `inputOutput`.
    public init(
        of path: FilePath, converters: [String] = [], dependencies: [FilePath] = [], hostLibraries: [FilePath] = []
    ) throws {
        guard case .file(let size) = Files.kind(of: path) else {
            throw PackError.notThere(path, .file, remedy: "name a package; \"bundletool pack\" makes one")
        }
        let package = PackageFile(path: path)
        self.path = path
        self.size = size
        manifest = try package.manifest(registeredConverters: converters)
        files = try package.files().map { File(name: $0.name, size: $0.size) }
        seal = SealFacts(of: path, converters: converters)
        library = try package.libraryVerdict(
            for: manifest,
            dependencies: LibraryDependencies(
                of: manifest, in: Files.packages(dependencies), hostLibraries: hostLibraries))
        digest = try package.digest()
        do throws(AtriumError) {
            try AppGroupOwnership.requireOwn(in: manifest, team: seal.package?.seal.team)
            groupRefusal = nil
        } catch {
            groupRefusal = error
        }
    }

    /// The name under which a catalog finds it.
    public var catalogName: String { PackageFile.name(of: manifest.identity) }

    /// The languages that have a string table, sorted.
    public var languages: [String] {
        let suffix = ".lproj/Localizable.json"
        return files.map(\.name).filter { $0.hasPrefix("Resources/") && $0.hasSuffix(suffix) }
            .map { String($0.dropFirst("Resources/".count).dropLast(suffix.count)) }
            .filter { !$0.contains("/") && !$0.isEmpty }.sorted()
    }
}
