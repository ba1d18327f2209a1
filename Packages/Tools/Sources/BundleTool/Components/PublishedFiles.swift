import BundleFormat
import PluginComponents
import PluginCore

/// The files that a publication names: packages with the Interfaces beside them, and archives of SDKs.
struct PublishedFiles {
    /// The packages.
    private(set) var packages: [FilePath] = []
    /// The Interfaces, each once.
    private(set) var interfaces: [FilePath] = []
    /// The archives of SDKs.
    private(set) var sdks: [FilePath] = []

    /// Finds the files.
    ///
    /// - Throws: ``PackError`` for a path that doesn't exist.
    init(_ paths: [FilePath]) throws {
        for path in paths {
            switch Files.kind(of: path) {
            case .file: add(path)
            case .folder:
                for name in try Files.names(in: path).sorted() where PackageFile.identity(named: name) != nil {
                    add(path.appending(name))
                }
                for name in try Files.names(in: path).sorted() where InterfaceArchive.isName(name) {
                    addInterface(path.appending(name))
                }
            case .other, nil:
                throw PackError.notThere(
                    path, .file, remedy: "specify packages, or folders of packages; \"bundletool pack\" creates one")
            }
        }
    }

    private mutating func add(_ path: FilePath) {
        let name = path.lastComponent
        if name.hasSuffix(".tar.gz") { return sdks.append(path) }
        if InterfaceArchive.isName(name) { return addInterface(path) }
        packages.append(path)
        guard let identity = PackageFile.identity(named: name) else { return }
        let interface = path.parent.appending(InterfaceArchive.name(of: identity))
        if case .file = Files.kind(of: interface) { addInterface(interface) }
    }

    private mutating func addInterface(_ path: FilePath) {
        if !interfaces.contains(path) { interfaces.append(path) }
    }
}
