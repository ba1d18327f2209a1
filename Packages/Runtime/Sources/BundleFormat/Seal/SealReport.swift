public import PluginCore
public import PluginRouter
public import Signing

/// The result of verifying the seal of a package or an installed bundle, with all problems.
public struct SealReport: Sendable {
    /// The bundle's identity according to its manifest, if that could be read.
    public internal(set) var identity: BundleIdentity?
    /// The seal, if it could be read.
    public internal(set) var seal: Seal?
    /// The key that the signature names, if the signature could be read.
    public internal(set) var keyID: KeyID?
    /// The SHA-256 of the seal's bytes, if the seal could be read.
    public internal(set) var digest: String?
    /// The manifest that was compared with the seal, and its bytes, if it could be read.
    package var manifest: (manifest: Manifest, source: [UInt8])?
    /// All problems: first the signer's, then those of the files, by path.
    public internal(set) var findings: [SealFinding] = []

    /// A Boolean value that indicates whether no problem was found.
    public var holds: Bool { findings.isEmpty }

    /// Returns the error that lists all findings, with the code of the first.
    ///
    /// - Parameter subject: the bundle whose seal it is.
    /// - Returns: `nil` when there are none.
    public func refusal(of subject: String) -> AtriumError? { findings.refusal(of: subject) }

    /// Verifies a package by reading all of its contents, without writing anything.
    ///
    /// - Parameters:
    ///   - verification: the authority that decides whether the signer is trusted.
    ///   - converters: the types that a pattern's captures may have.
    public init(of path: FilePath, by verification: SignatureVerification, converters: RouteConverters = .standard) {
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

    package init() {}

    /// Creates the report about a bundle that couldn't be read, which says nothing about the bundle itself.
    public init(unread error: AtriumError) {
        findings = [SealFinding(error)]
    }
}
