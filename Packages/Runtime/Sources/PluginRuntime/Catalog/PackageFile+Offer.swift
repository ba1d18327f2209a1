public import BundleFormat
import HostSystem
public import PluginCore
public import PluginRouter

extension PackageFile {
    /// Returns the package as an offer.
    ///
    /// - Throws: as ``manifest(converters:)``, and ``AtriumError`` with code `fileUnknown` when there is no such file.
    public func offered(converters: RouteConverters = .standard) throws(AtriumError) -> CatalogPackage {
        switch try FileSystem.item(at: path) {
        case .file(let size, _):
            return CatalogPackage(manifest: try manifest(converters: converters), path: path, size: size)
        case .folder, .link, .other: throw AtriumError(.packageInvalid, path.string, detail: "it is not a regular file")
        case nil: throw AtriumError(.fileUnknown, path.string)
        }
    }
}
