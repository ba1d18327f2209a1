public import BundleFormat
public import HostSystem
public import PluginCore
import Zip

extension PackageFile {
    /// Checks a library of the package; `nil` for a bundle without code.
    ///
    /// Nothing is extracted to the disk, and no code is run.
    ///
    /// - Parameters:
    ///   - manifest: the result of ``manifest(converters:)``.
    ///   - name: the file name of the library; `nil` for the bundle's own.
    ///   - dependencies: the libraries of the bundles that it requires.
    ///   - platform: the triple of the platform of its hosts, as in
    ///     ``LibraryPreflight/validate(libraryOf:named:content:dependencies:platform:)``.
    /// - Throws: ``AtriumError`` with code `packageInvalid`.
    public func libraryReport(
        for manifest: Manifest, named name: String? = nil, dependencies: LibraryDependencies = .none,
        platform: String = Platform.triple
    ) throws(AtriumError) -> LibraryReport? {
        guard let entry = name ?? manifest.entry else { return nil }
        return LibraryPreflight.validate(
            libraryOf: manifest, named: entry, content: try libraryContent(named: entry, for: platform),
            dependencies: dependencies, platform: platform)
    }

    /// Reads the library for a platform; `nil` when there is none.
    func libraryContent(
        named entry: String, for platform: String = Platform.triple
    ) throws(AtriumError) -> [UInt8]? {
        let place = BundleShape.libraryPath(of: entry, for: platform)
        let archive = try archive()
        guard archive.entry(named: place) != nil else { return nil }
        do throws(ZipError) {
            return try archive.contents(of: place, limit: LibraryPreflight.sizeLimit)
        } catch {
            throw .invalidPackage(path, error)
        }
    }
}
