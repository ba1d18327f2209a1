import BundleFormat
import Registry
import Resolver
internal import PluginCore

/// The offers for installations: the manifests of packages that a trusted team has signed.
///
/// Unsigned packages have no influence, so they can't keep out signed ones. At installation, each package is opened again and
/// must have the same seal.
final class SealedOffers: ResolverOffers {
    private let listed: CatalogOffers
    private let open: (BundleIdentity) throws(AtriumError) -> SealedPackage
    /// The digest of each package's seal.
    private var digests: [BundleIdentity: String] = [:]
    private var refused: [BundleIdentity: AtriumError] = [:]
    private var suspected: [BundleIdentity: String] = [:]

    /// Creates the offers.
    ///
    /// - Parameter open: opens a package and verifies its seal and signer.
    init(_ listed: CatalogOffers, _ open: @escaping (BundleIdentity) throws(AtriumError) -> SealedPackage) {
        self.listed = listed
        self.open = open
    }

    func versions(of identifier: String) throws(AtriumError) -> [SemanticVersion] {
        try listed.versions(of: identifier)
    }

    func requireReachable() throws(AtriumError) {
        try listed.requireReachable()
    }

    /// Returns the requirements of a version according to its sealed manifest.
    ///
    /// - Throws: the errors of `open`, and ``AtriumError`` with code `versionReused` when the registry has different content
    ///   under that version.
    func requirements(of identity: BundleIdentity) throws(AtriumError) -> [BundleRequirement] {
        if let refusal = refused[identity] { throw refusal }
        let package = try open(identity)
        digests[identity] = package.digest
        if let known = try listed.registry.versions.all(of: identity.identifier).first(where: {
            $0.identity == identity
        }) {
            try known.requireSame(package.digest)
        }
        return package.manifest.requirements
    }

    /// Returns a package that has the same seal as when it was planned with.
    ///
    /// - Throws: the errors of `open`, and ``AtriumError`` with code `packageInvalid` when the package has been replaced.
    func package(_ identity: BundleIdentity) throws(AtriumError) -> SealedPackage {
        let package = try open(identity)
        guard package.digest == digests[identity] else {
            throw AtriumError(.packageInvalid, package.path.lastComponent, detail: "it changed while it was read")
        }
        return package
    }

    /// Excludes a package whose contents turned out to be invalid in two reads, so that a failing disk isn't mistaken for a broken package.
    ///
    /// - Returns: whether to plan again, because the version wasn't requested explicitly and the fault is in its package.
    func leaveOut(_ packages: [SealedPackage], for error: AtriumError, but requests: [ResolverRequest]) -> Bool {
        let ofContents: Set<AtriumError.Code> = [
            .sealBroken, .packageInvalid, .libraryMissing, .libraryIncompatible, .libraryUnloadable,
        ]
        let crashedVersion = packages.first {
            [$0.path.lastComponent, $0.manifest.identity.description].contains(error.subject)
        }
        guard ofContents.contains(error.code), let identity = crashedVersion?.manifest.identity,
            !requests.contains(where: { $0.identifier == identity.identifier && $0.version != nil })
        else { return false }
        if suspected.updateValue(error.description, forKey: identity) == error.description { refused[identity] = error }
        return true
    }
}

extension PluginBundle {
    /// Checks that a package of this version has the content of this version, because a version number identifies exactly one content.
    ///
    /// - Throws: ``AtriumError`` with code `versionReused`.
    func requireSame(_ digest: String) throws(AtriumError) {
        guard digest != self.digest else { return }
        throw AtriumError(
            .versionReused, identity.description,
            detail:
                "the seal of this package is \(digest.prefix(12)), that of the installed one \(self.digest.prefix(12))")
    }
}
