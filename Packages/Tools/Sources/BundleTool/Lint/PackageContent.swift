import Authoring
import BundleFormat
import Console
import ExtensionHost
import PluginCore
import Preflight
import Zip

/// The contents of a package, for comparisons with other versions.
struct PackageContent {
    let path: FilePath
    private let package: PackageFile
    private let archive: ZipArchive

    /// Opens a package.
    ///
    /// - Throws: ``CommandError`` if there is no file or it is not valid, `AtriumError` with code `packageInvalid`.
    init(_ path: FilePath) throws {
        guard path.isFile else { throw CommandError.notThere(path, remedy: "lint") }
        package = PackageFile(path: path)
        archive = try package.archive()
        self.path = path
    }

    /// The files with their sizes in bytes.
    var files: [(name: String, size: Int)] {
        archive.entries.filter { !$0.isDirectory }.map { ($0.name, Int(clamping: $0.uncompressedSize)) }
    }

    /// Returns the content of a file, or `nil` if there is none.
    func bytes(of name: String, limit: Int) throws -> [UInt8]? {
        guard archive.entry(named: name) != nil else { return nil }
        return try CommandError.reading(path) { try archive.contents(of: name, limit: limit) }
    }

    /// Reads the manifest for hosts with any converters.
    ///
    /// - Throws: `AtriumError` with code `manifestInvalid`.
    func manifest() throws -> Manifest {
        let source = try bytes(of: "manifest.json", limit: ManifestReader.sizeLimit) ?? []
        let names = ConverterReference.names(in: source, nil)
        let manifest = try package.manifest(converters: .standard(registering: names))
        try ExtensionRules().require(manifest, of: path.lastComponent)
        return manifest
    }

    /// Returns the names of the libraries of a bundle by their file names.
    func symbols(of manifest: Manifest) throws -> [String: LibrarySymbols] {
        var symbols: [String: LibrarySymbols] = [:]
        for entry in Set(manifest.libraries) {
            if let content = try package.libraryContent(named: entry) { symbols[entry] = LibrarySymbols(content) }
        }
        return symbols
    }

    /// Returns whether another package has the same files, apart from signatures.
    func hasFiles(of other: PackageContent) -> Bool { sums == other.sums }

    /// The checksums and sizes of all files but signatures.
    var sums: [String: [UInt64]] {
        let files = archive.entries.filter { !$0.isDirectory && !$0.name.hasPrefix("signature/") }
        return Dictionary(files.map { ($0.name, [UInt64($0.crc32), $0.uncompressedSize]) }) { first, _ in first }
    }

    /// Unpacks the package into a new folder.
    func extract(to folder: FilePath) throws {
        try CommandError.reading(path) { try archive.extract(to: folder.string) }
    }

    /// Asks the code of a plugin for what it declares, such as the parameters of its routes and actions.
    ///
    /// - Parameters:
    ///   - libraries: the packages of the libraries that it links.
    ///   - hostLibraries: the libraries that its hosts offer in addition to those of Atrium.
    /// - Returns: `nil` for a bundle without a principal object, and for code that this program cannot load.
    func declarations(
        of manifest: Manifest, libraries: [FilePath], hostLibraries: [FilePath]
    ) throws -> PluginDeclarations? {
        guard manifest.kind == .app, let entry = manifest.entry, let content = try package.libraryContent(named: entry)
        else { return nil }
        let linked = try LibraryDependencies(
            of: manifest, in: Files.packages(libraries), hostLibraries: hostLibraries)
        let library = AssessedLibrary(
            LibraryContent(path: FilePath(entry), built: content), in: manifest, with: linked)
        guard library.report.isLoadable else { return nil }
        return try DeclarationQuery(library: library, linked: linked, hostLibraries: hostLibraries).declarations()
    }
}
