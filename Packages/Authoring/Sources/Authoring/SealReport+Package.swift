public import BundleFormat
public import PluginCore
public import PluginRouter

extension SealReport {
    /// Verifies a package by reading all of its contents, without writing anything.
    ///
    /// - Parameters:
    ///   - verification: the authority that decides whether the signer is trusted.
    ///   - converters: the types that a pattern's captures may have.
    public init(of path: FilePath, by verification: SignatureVerification, converters: RouteConverters = .standard) {
        self.init()
        do throws(AtriumError) {
            let package = try SealedPackage(opening: path, converters: converters, isLenient: true)
            identity = package.manifest.identity
            seal = package.seal
            keyID = package.keyID
            digest = package.digest
            do throws(AtriumError) {
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

    /// Verifies a package for a host of which only the names of the converters are known.
    public init(of path: FilePath, by verification: SignatureVerification, registeredConverters names: [String]) {
        self.init(of: path, by: verification, converters: .standard(registering: names))
    }
}
