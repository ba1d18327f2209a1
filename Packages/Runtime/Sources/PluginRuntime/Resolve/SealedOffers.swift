internal import PluginCore

/// What can be had to be installed: of each version the manifest that a team has sealed which the host trusts. What nobody has
/// signed says nothing here, and so keeps out nothing that somebody has.
///
/// What is installed is what was planned with: the package is opened anew then, and has to have the same seal.
final class SealedOffers: ResolverOffers {
    private let listed: CatalogOffers
    private let open: (BundleIdentity) throws(AtriumError) -> SealedPackage
    /// By the seal that each had.
    private var digests: [BundleIdentity: String] = [:]
    private var refused: [BundleIdentity: AtriumError] = [:]
    private var suspected: [BundleIdentity: String] = [:]

    /// - Parameter open: opens a package, and judges its seal and who has signed it.
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

    /// What a version needs, as it was sealed.
    ///
    /// - Throws: what `open` throws, and ``AtriumError`` with code `versionReused` when the registry has other content under
    ///   that version.
    func requirements(of identity: BundleIdentity) throws(AtriumError) -> [BundleRequirement] {
        if let refusal = refused[identity] { throw refusal }
        let package = try open(identity)
        digests[identity] = package.digest
        if let known = try listed.registry.versions(of: identity.identifier).first(where: { $0.identity == identity }) {
            try known.requireSame(package.digest)
        }
        return package.manifest.requirements
    }

    /// A package as it was planned with.
    ///
    /// - Throws: what `open` throws, and ``AtriumError`` with code `packageInvalid` when another one has taken its place.
    func package(_ identity: BundleIdentity) throws(AtriumError) -> SealedPackage {
        let package = try open(identity)
        guard package.digest == digests[identity] else {
            throw AtriumError(.packageInvalid, package.path.lastComponent, detail: "it changed while it was read")
        }
        return package
    }

    /// Leaves out, from now on, the package that was found to be of no use when its contents were read, and again when they were
    /// read once more: a disk that fails must not pass for a package that is broken.
    ///
    /// - Returns: whether to plan anew: nobody has asked for that version, and the fault is its own.
    func leaveOut(_ packages: [SealedPackage], for error: AtriumError, but wishes: [Wish]) -> Bool {
        let ofContents: Set<AtriumError.Code> = [
            .sealBroken, .packageInvalid, .libraryMissing, .libraryIncompatible, .libraryUnloadable,
        ]
        let culprit = packages.first {
            [$0.path.lastComponent, $0.manifest.identity.description].contains(error.subject)
        }
        guard ofContents.contains(error.code), let identity = culprit?.manifest.identity,
            !wishes.contains(where: { $0.identifier == identity.identifier && $0.version != nil })
        else { return false }
        if suspected.updateValue(error.description, forKey: identity) == error.description { refused[identity] = error }
        return true
    }
}

extension PluginBundle {
    /// Returns whether a package of this version has this version's content: a version names one content, and an author who packs
    /// another under the same name must hear of it.
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
