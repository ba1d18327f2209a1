public import BundleFormat
public import PluginCore
import PluginRuntime
import Processes

/// The libraries of the required bundles, by the names under which they are needed.
public struct LibraryDependencies: Sendable {
    /// No libraries.
    public static let none = LibraryDependencies([:])

    /// The libraries in packages that the bundle is linked with, each after those that it needs itself.
    public let files: [(name: String, content: [UInt8])]
    private let byName: [String: HostLibrary]
    /// The identifiers of required bundles that weren't given, so that their libraries are unknown.
    let unseen: [String]
    /// The libraries that couldn't be read, so that their symbols are unknown.
    let unread: [FilePath]

    /// Reads libraries from their files.
    public init(_ paths: [String: FilePath]) {
        var (byName, unread): ([String: HostLibrary], [FilePath]) = ([:], [])
        for (name, path) in paths {
            do {
                byName[name] = try HostLibrary(path, isLoaded: false)
            } catch {
                unread.append(path)
            }
        }
        self.byName = byName
        self.unread = unread.sorted { $0.string < $1.string }
        (unseen, files) = ([], [])
    }

    /// Reads the libraries in packages, and those of a host.
    ///
    /// - Parameters:
    ///   - manifest: the manifest of the bundle that is checked. Only bundles that it requires, directly or indirectly, count.
    ///   - packages: the available packages. Those that are not of kind `lib` have nothing to link.
    ///   - hostLibraries: the files of the libraries that the host offers in addition to those of Atrium.
    /// - Throws: ``AtriumError`` with code `dependencyUnmet` when a bundle has a version that isn't accepted,
    ///   `dependencyConflict` for circular requirements, `packageInvalid`, `manifestInvalid`, `inputOutput`.
    public init(of manifest: Manifest, in packages: [PackageFile], hostLibraries: [FilePath] = []) throws(AtriumError) {
        let offers = try Self.offers(of: packages)
        let closure = try LibraryClosure(of: manifest.identity, manifest.requirements) { offers[$0] }
        files = try closure.libraries.map { library throws(AtriumError) in
            try library.source.libraryContent(named: library.soname).map { (library.soname, $0) }
        }.compactMap(\.self)
        var byName: [String: HostLibrary] = [:]
        for (name, content) in files {
            byName[name] = HostLibrary(MappedFile(copying: content), FilePath(name), isLoaded: false)
        }
        for path in hostLibraries { byName[path.lastComponent] = try HostLibrary(path, isLoaded: false) }
        self.byName = byName
        unread = []
        unseen = manifest.requirements.filter { !$0.isOnDemand && offers[$0.identifier] == nil }.map(\.identifier.text)
    }

    private static func offers(
        of packages: [PackageFile]
    ) throws(AtriumError) -> [BundleIdentifier: RequiredBundle<PackageFile>] {
        var offers: [BundleIdentifier: RequiredBundle<PackageFile>] = [:]
        for package in packages {
            let manifest = try package.manifest()
            let library = SharedLibrary(manifest, at: package)
            offers[manifest.identity.identifier] = library.map(RequiredBundle.library) ?? .other
        }
        return offers
    }

    /// Returns the library with a name.
    subscript(name: String) -> HostLibrary? { byName[name] }

    /// All libraries, sorted by name.
    var libraries: [HostLibrary] { byName.sorted { $0.key < $1.key }.map(\.value) }
}
