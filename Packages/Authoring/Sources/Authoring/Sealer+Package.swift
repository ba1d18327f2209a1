import BundleFormat
import HostSystem
public import PluginCore
import PluginRouter
import Zip

extension Sealer {
    /// Signs an existing package, signed before or not, and replaces it atomically.
    ///
    /// - Parameters:
    ///   - package: the path of the package.
    ///   - output: the path of the signed package; by default it replaces the old one.
    ///   - isOwn: checks that the team may sign the manifest.
    ///   - names: the converters that the intended hosts register in addition to the standard ones.
    /// - Throws: ``AtriumError`` with code `packageInvalid`, `manifestInvalid`, or the errors of `isOwn` and
    ///   ``PackageWriter/write(to:of:sealedBy:converters:)``. Nothing has been written then.
    public func sign(
        package: FilePath, to output: FilePath? = nil, registeredConverters names: [String] = [],
        checking isOwn: (Manifest, String?) throws(AtriumError) -> Void
    ) throws(AtriumError) {
        let converters = RouteConverters.standard(registering: names)
        let manifest = try PackageFile(path: package).manifest(converters: converters)
        try isOwn(manifest, team)
        let target = output ?? package
        // Extracted next to the target, because that disk has room for the package.
        let unpacked = target.parent.appending(".sign-\(processSerial())")
        defer { try? FileSystem.remove(unpacked) }
        do throws(ZipError) {
            try ZipArchive(path: package.string).extract(to: unpacked.string)
        } catch {
            throw .invalidPackage(package, error)
        }
        try FileSystem.remove(unpacked.appending(Seal.folder))
        var writer = PackageWriter()
        try writer.add(folder: unpacked)
        try writer.write(to: target, of: manifest.identity, sealedBy: self, converters: converters)
    }
}
