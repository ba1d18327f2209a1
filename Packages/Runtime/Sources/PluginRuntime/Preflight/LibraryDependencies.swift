public import PluginCore

/// The libraries of the bundles that a bundle requires, by the names they are needed by.
public struct LibraryDependencies: Sendable {
    /// No bundle is required.
    public static let none = LibraryDependencies([:])

    private let byName: [String: HostLibrary]
    /// The bundles that are required and that nobody has shown: who judges without them cannot know what they bring.
    let unseen: [String]
    /// The libraries that are there and couldn't be read: the judge can't know what they bring.
    let unread: [FilePath]

    /// Reads libraries from their files.
    public init(_ paths: [String: FilePath]) {
        var (byName, unread): ([String: HostLibrary], [FilePath]) = ([:], [])
        for (name, path) in paths {
            do throws(AtriumError) {
                byName[name] = try HostLibrary(path, isLoaded: false)
            } catch {
                unread.append(path)
            }
        }
        self.byName = byName
        self.unread = unread.sorted { $0.string < $1.string }
        unseen = []
    }

    /// Reads libraries that lie in packages, and those of a host.
    ///
    /// - Parameters:
    ///   - manifest: whose library is to be judged. Only what it requires counts, and what that requires.
    ///   - packages: the packages of kind `lib` that there are.
    ///   - hostLibraries: the files of the libraries that the host offers beside those of Atrium.
    /// - Throws: ``AtriumError`` with code `dependencyUnmet` when one is in a version that is not wanted, `dependencyConflict`
    ///   when they need each other, `packageInvalid`, `manifestInvalid`, `inputOutput`.
    public init(of manifest: Manifest, in packages: [PackageFile], hostLibraries: [FilePath] = []) throws(AtriumError) {
        var offers: [String: SharedLibrary<PackageFile>] = [:]
        for package in packages {
            let manifest = try package.manifest()
            guard let library = SharedLibrary(manifest, at: package) else {
                throw AtriumError(
                    .packageInvalid, package.path.lastComponent,
                    detail: "it is of kind \(manifest.kind.rawValue); only a bundle of kind lib is linked with")
            }
            offers[manifest.identity.identifier] = library
        }
        let closure = try LibraryClosure(of: manifest.identity, manifest.requirements) {
            offers[$0].map(RequiredBundle.library)
        }
        var byName: [String: HostLibrary] = [:]
        for library in closure.libraries {
            guard let content = try library.source.libraryContent(named: library.soname) else { continue }
            byName[library.soname] = HostLibrary(
                MappedFile(copying: content), FilePath(library.soname), isLoaded: false)
        }
        for path in hostLibraries { byName[path.lastComponent] = try HostLibrary(path, isLoaded: false) }
        self.byName = byName
        unread = []
        unseen = manifest.requirements.filter { !$0.isOnDemand && offers[$0.identifier] == nil }.map(\.identifier)
    }

    /// The library of a name.
    subscript(name: String) -> HostLibrary? { byName[name] }

    /// All of them.
    var libraries: [HostLibrary] { byName.sorted { $0.key < $1.key }.map(\.value) }
}
