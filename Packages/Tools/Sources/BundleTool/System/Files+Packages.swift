import BundleFormat
import PluginCore
import PluginRuntime

extension Files {
    /// Returns package files that exist.
    ///
    /// - Throws: ``PackError`` for the first that doesn't exist.
    static func packages(_ paths: [FilePath]) throws(PackError) -> [PackageFile] {
        for path in paths {
            guard case .file = kind(of: path) else {
                throw .notThere(path, .file, remedy: "specify a package; \"bundletool pack\" creates one")
            }
        }
        return paths.map(PackageFile.init)
    }
}
