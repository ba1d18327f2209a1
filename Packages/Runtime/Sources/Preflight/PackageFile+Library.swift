public import BundleFormat
public import PluginCore
import Zip

extension PackageFile {
    /// Checks a library of the package for a host like this process; `nil` for a bundle without code.
    ///
    /// Nothing is extracted to the disk, and no code is run.
    ///
    /// - Parameters:
    ///   - manifest: the result of ``manifest(converters:)``.
    ///   - name: the file name of the library; `nil` for the bundle's own.
    ///   - dependencies: the libraries of the bundles that it requires.
    /// - Throws: ``AtriumError`` with code `packageInvalid`.
    public func libraryReport(
        for manifest: Manifest, named name: String? = nil, dependencies: LibraryDependencies = .none
    ) throws(AtriumError) -> LibraryReport? {
        guard let entry = name ?? manifest.entry else { return nil }
        return LibraryPreflight.validate(
            libraryOf: manifest, named: entry, content: try libraryContent(named: entry), dependencies: dependencies)
    }

    /// Reads the library for this platform; `nil` when there is none.
    func libraryContent(named entry: String) throws(AtriumError) -> [UInt8]? {
        let place = BundleShape.libraryPath(of: entry)
        let archive = try archive()
        guard archive.entry(named: place) != nil else { return nil }
        do throws(ZipError) {
            return try archive.contents(of: place, limit: LibraryPreflight.sizeLimit)
        } catch {
            throw .invalidPackage(path, error)
        }
    }
}
