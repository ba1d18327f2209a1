public import BundleFormat
public import Registry
import HostSystem
public import PluginCore
public import PluginRuntime
import Signing
import Synchronization

/// The verification by the trust store of a sandbox, which is read on first use and again when one of its files has changed.
public final class TeamVerification: PackageVerification {
    private let file: TrustFile
    private let seals = SealVerification()
    /// The store, with the stamps from before its files were read.
    private let known = Mutex<(stamps: [FileStamp?], store: TrustStore)?>(nil)

    /// Creates the verification by a trust store, without reading it.
    public init(_ file: TrustFile) {
        self.file = file
    }

    /// Creates the verification by the trust store in one file, without reading it.
    public convenience init(_ file: FilePath) {
        self.init(TrustFile(shipped: nil, own: file))
    }

    /// Creates the verification by the trust store of a sandbox, without reading it.
    ///
    /// - Parameter shipped: the host's file, to which the sandbox's own file adds; `nil` for none.
    public convenience init(shipped: FilePath?, sandbox: Sandbox) {
        self.init(TrustFile(shipped: shipped, sandbox: sandbox))
    }

    /// The codes that say that the signature is not trusted, for this bundle or its app groups.
    public var distrustCodes: Set<AtriumError.Code> { [.keyRevoked, .teamUnknown, .teamForeign, .groupForeign] }

    /// Returns whether the trust store has a team.
    ///
    /// - Throws: as ``TrustFile/read()``.
    public func trustsAnyone() throws(AtriumError) -> Bool { try !store().teams.isEmpty }

    /// Returns the check by the current trust store.
    ///
    /// - Throws: as ``TrustFile/read()``.
    public func signatures(for purpose: VerificationPurpose) throws(AtriumError) -> SignatureVerification {
        .trust(try store(), purpose, at: Clock.now())
    }

    /// Checks that the signer of an installed version is trusted for loading, and has signed the installed seal.
    ///
    /// - Throws: as ``requireLoadable(_:)``, and ``AtriumError`` with code `sealBroken`, `signatureInvalid` or `inputOutput`.
    public func requireSigned(
        _ bundle: PluginBundle, in sandbox: Sandbox, _ records: LoadRecords
    ) throws(AtriumError) {
        try seals.requireSealed(bundle, in: sandbox, by: requireLoadable(bundle))
    }

    /// Stores the seals that were verified, after a version was loaded.
    public func saveRecords(in records: LoadRecords) { seals.saveRecords(in: records) }

    private func store() throws(AtriumError) -> TrustStore {
        let stamps = try file.stamps
        if let known = known.withLock({ $0 }), known.stamps == stamps { return known.store }
        let store = try file.read()
        known.withLock { $0 = (stamps, store) }
        return store
    }

    /// Checks that the signer of an installed version is trusted for loading.
    ///
    /// - Returns: the key that must have signed it.
    /// - Throws: ``AtriumError`` with code `unsigned`, `teamUnknown`, `teamForeign`, `groupForeign` or `keyRevoked`, and as
    ///   ``TrustFile/read()``.
    func requireLoadable(_ bundle: PluginBundle) throws(AtriumError) -> VerifyingKey {
        guard !bundle.seal.team.isEmpty else {
            throw AtriumError(.unsigned, bundle.identity, reason: "installedUnsigned")
        }
        guard let keyID = try? KeyID(bundle.seal.keyID) else {
            throw AtriumError(
                .registryDamaged, bundle.identity, reason: "keyUnreadable",
                ["key": .text(bundle.seal.keyID)])
        }
        // The decision for a load doesn't depend on the time.
        return try store().validate(
            keyID: keyID, team: bundle.seal.team, identifier: bundle.identifier,
            appGroups: bundle.appGroups, subject: bundle.identity.description, purpose: .load, at: Clock.now())
    }
}
