public import PluginCore
import Zip

extension Sealer {
    /// Signs a package that is there, signed before or not, and writes it again in one step.
    ///
    /// - Parameters:
    ///   - package: the package.
    ///   - output: where the signed one goes; by default over the old one.
    ///   - names: the converters that the hosts it is for register beside the standard ones.
    /// - Throws: ``AtriumError`` with code `packageInvalid`, `manifestInvalid`, `groupForeign`, or what
    ///   ``PackageWriter/write(to:of:sealedBy:registeredConverters:)`` throws. Nothing was written then.
    public func sign(
        package: FilePath, to output: FilePath? = nil, registeredConverters names: [String] = []
    ) throws(AtriumError) {
        let manifest = try PackageFile(path: package).manifest(registeredConverters: names)
        try AppGroupOwnership.requireOwn(in: manifest, team: team)
        let target = output ?? package
        // Beside the target, because that is a disk with room for the package.
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
        try writer.write(to: target, of: manifest.identity, sealedBy: self, registeredConverters: names)
    }
}
