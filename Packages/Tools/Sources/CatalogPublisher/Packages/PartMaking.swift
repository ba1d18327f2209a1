import BundleFormat
import CatalogFormat
public import PluginCore

// A host fetches only the part of a package that is for its platform.
extension CatalogEditor {
    /// Makes the parts of a package with the libraries of several platforms, one for each platform.
    ///
    /// - Parameters:
    ///   - package: The package, which gets the parts.
    ///   - folder: A folder for the files of the parts until they are published.
    public func makeParts(of package: inout CheckedPackage, in folder: FilePath) throws {
        guard let whole = package.severalPlatforms else { return }
        package.entry.parts = []
        for platform in package.entry.platforms {
            let path = CatalogPath.part(of: package.entry.manifest.identity, for: platform)
            let file = folder.appending(path)
            try PublisherFiles.makeFolder(file.parent)
            try whole.writePart(for: platform, to: file)
            package.entry.parts.append(
                CatalogPart(
                    platform: platform, length: try PublisherFiles.size(ofExisting: file),
                    sha256: try PackageFile(path: file).digest()))
            package.files[path] = file
        }
    }
}
