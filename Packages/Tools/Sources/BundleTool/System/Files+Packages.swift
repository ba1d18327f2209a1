import PluginCore
import PluginRuntime

extension Files {
    /// Packages that are there.
    ///
    /// - Throws: ``PackError`` for the first that is not.
    static func packages(_ paths: [FilePath]) throws(PackError) -> [PackageFile] {
        for path in paths {
            guard case .file = kind(of: path) else {
                throw .notThere(path, .file, remedy: "name a package; \"bundletool pack\" makes one")
            }
        }
        return paths.map(PackageFile.init)
    }
}
