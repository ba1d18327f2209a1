public import PluginCore
public import PluginRouter
public import Signing

/// What is to be said of a bundle's seal, in a package or on the disk: all of it, and not the first fault only.
public struct SealVerdict: Sendable {
    /// Which bundle its manifest says it is, if it could be read.
    public internal(set) var identity: BundleIdentity?
    /// The seal, if it could be read.
    public internal(set) var seal: Seal?
    /// The key that says to have signed, if the signature could be read.
    public internal(set) var keyID: KeyID?
    /// The SHA-256 of the seal's bytes, if there are any.
    public internal(set) var digest: String?
    /// The manifest as it was held against the seal, and its file, if it could be read.
    var manifest: (manifest: Manifest, source: [UInt8])?
    /// All that speaks against the bundle: first its signer, then its files by path.
    public internal(set) var findings: [SealFinding] = []

    /// A Boolean value that indicates whether nothing speaks against it.
    public var holds: Bool { findings.isEmpty }

    /// The refusal that lists all findings, with the code of the first; `nil` when there are none.
    ///
    /// - Parameter subject: whose seal it is.
    public func refusal(of subject: String) -> AtriumError? { findings.refusal(of: subject) }

    /// Judges a package: every content is read, and nothing is written.
    ///
    /// - Parameters:
    ///   - authority: who decides about the signer.
    ///   - converters: the types that a pattern's captures can ask for.
    public init(of path: FilePath, by authority: SealAuthority, converters: RouteConverters = .standard) {
        do throws(AtriumError) {
            let package = try SealedPackage(opening: path, converters: converters, isLenient: true)
            identity = package.manifest.identity
            seal = package.seal
            keyID = package.keyID
            digest = package.digest
            do throws(AtriumError) {
                try package.verify(by: authority)
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

    /// Judges a package for a host that is not here, of whose converters only the names are known.
    public init(of path: FilePath, by authority: SealAuthority, registeredConverters names: [String]) {
        self.init(of: path, by: authority, converters: .standard(registering: names))
    }

    init() {}

    /// The report about a bundle that can't be read: no verdict on it.
    public init(unread error: AtriumError) {
        findings = [SealFinding(error)]
    }
}

extension [SealFinding] {
    /// By path; what is about the whole comes first.
    func sorted() -> [SealFinding] {
        sorted { ($0.path ?? "").utf8.lexicographicallyPrecedes(($1.path ?? "").utf8) }
    }
}
