public import BundleFormat
import HostSystem
public import PluginCore
public import PluginRouter
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
        try Result { () throws(ZipError) in try ZipArchive(path: package.string).extract(to: unpacked.string) }
            .mapError { AtriumError.invalidPackage(package, $0) }.get()
        try FileSystem.remove(unpacked.appending(Seal.folder))
        var writer = PackageWriter()
        try writer.add(folder: unpacked)
        try writer.write(to: target, of: manifest.identity, sealedBy: self, converters: converters)
    }
}

extension SealReport {
    /// Verifies a package by reading all of its contents, without writing anything.
    ///
    /// - Parameters:
    ///   - verification: the authority that decides whether the signer is trusted.
    ///   - converters: the types that a pattern's captures may have.
    public init(of path: FilePath, by verification: SignatureVerification, converters: RouteConverters = .standard) {
        self.init()
        do {
            let package = try SealedPackage(opening: path, converters: converters, isLenient: true)
            identity = package.manifest.identity
            seal = package.seal
            keyID = package.keyID
            digest = package.digest
            do {
                try package.verify(by: verification)
            } catch {
                findings.append(SealFinding(error))
            }
            let contents = try package.contentFindings()
            let known = Set(package.disagreements.compactMap { $0.path.map { Array($0.utf8) } })
            findings +=
                (package.disagreements + contents.filter { !known.contains(Array(($0.path ?? "").utf8)) }).sorted()
        } catch {
            findings += SealFinding.all(in: error)
        }
    }
}
