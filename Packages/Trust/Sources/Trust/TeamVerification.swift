public import BundleFormat
public import Registry
import HostSystem
public import PluginCore
public import PluginRuntime
import Signing
import Synchronization

/// The verification by the trust store of a sandbox, which is read on first use and again when one of its files has changed.
public final class TeamVerification: PackageVerification {
    private let file: TrustFile?
    private let seals = SealVerification()
    /// The store, with the stamps from before its files were read.
    private let known: Mutex<(stamps: [FileStamp?], store: TrustStore)?>

    /// Creates the verification by a trust store, without reading it.
    public init(_ file: TrustFile) {
        self.file = file
        known = Mutex(nil)
    }

    /// Creates the verification by a trust store that no file changes.
    init(_ store: TrustStore) {
        file = nil
        known = Mutex(([], store))
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
        let known = known.withLock { $0 }
        guard let file else { return known?.store ?? .empty }
        let stamps = try file.stamps
        if let known, known.stamps == stamps { return known.store }
        let store = try file.read()
        self.known.withLock { $0 = (stamps, store) }
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

extension PackageVerification where Self == TeamVerification {
    /// Returns the trust in one team, whose bundles have identifiers that begin with its own.
    ///
    /// - Parameter key: the text of its public key: the file that `bundletool keygen` writes, or its second line.
    /// - Throws: ``AtriumError`` with code `trustConflict` for a name or a key without the right form.
    public static func team(_ identifier: String, _ key: String) throws(AtriumError) -> TeamVerification {
        let verifyingKey: VerifyingKey
        do {
            verifyingKey = try VerifyingKey(key)
        } catch {
            throw AtriumError(.trustConflict, identifier, reason: error.reason)
        }
        return TeamVerification(
            try TrustStore.empty.adding(team: identifier, name: nil, prefixes: [identifier], key: verifyingKey))
    }

    /// Returns the trust in the teams in a file with the form of `trust.json`.
    public static func teams(in file: FilePath) -> TeamVerification {
        TeamVerification(TrustFile(shipped: nil, own: file))
    }
}
