public import BundleFormat
public import Registry
import HostSystem
public import PluginCore
public import PluginRuntime
import Signing
import Synchronization

/// The verification by the trust store of a sandbox, which is read on first use and again when one of its files has changed.
///
/// Its decisions about loads are stored in the registry with the stamps of the files, so that a load doesn't read unchanged
/// files. That doesn't require more trust in the registry, which also stores who has signed a version.
public final class TeamVerification: PackageVerification {
    private let file: TrustFile
    private let seals = SealVerification()
    private let known = Mutex<Known?>(nil)

    private struct Known {
        let identity: TrustFile.Identity
        /// The text of the stamps from before the files were read, under which the registry may store decisions.
        let lasting: String?
        var store: TrustStore?
        /// The keys that must have signed the versions that may be loaded; `nil` before the registry was asked.
        var keys: [TrustDecision.Subject: String]?
        /// The decisions that aren't stored in the registry yet.
        var unsaved: [TrustDecision] = []
    }

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
    /// - Throws: as ``requireLoadable(_:_:)``, and ``AtriumError`` with code `sealBroken`, `signatureInvalid` or `inputOutput`.
    public func requireSigned(
        _ bundle: PluginBundle, in sandbox: Sandbox, _ records: LoadRecords
    ) throws(AtriumError) {
        try seals.requireSealed(bundle, in: sandbox, by: requireLoadable(bundle, records))
    }

    /// Stores new decisions and verified seals, after a version was loaded.
    public func saveRecords(in records: LoadRecords) {
        let (stamp, decisions) = known.withLock { known -> (String?, [TrustDecision]) in
            defer { known?.unsaved = [] }
            return (known?.lasting, known?.unsaved ?? [])
        }
        if let stamp, !decisions.isEmpty {
            records.add { registry in try? registry.trustDecisions.add(decisions, for: stamp) }
        }
        seals.saveRecords(in: records)
    }

    private func store() throws(AtriumError) -> TrustStore {
        let known = try current()
        if let store = known.store { return store }
        let store = try file.read()
        self.known.withLock { if $0?.identity == known.identity { $0?.store = store } }
        return store
    }

    /// Checks that the signer of an installed version is trusted for loading.
    ///
    /// - Returns: the key that must have signed it, in the format of minisign.
    /// - Throws: ``AtriumError`` with code `unsigned`, `teamUnknown`, `teamForeign`, `groupForeign` or `keyRevoked`, and as
    ///   ``TrustFile/read()``.
    func requireLoadable(_ bundle: PluginBundle, _ records: LoadRecords) throws(AtriumError) -> String {
        guard !bundle.seal.team.isEmpty else {
            throw AtriumError(.unsigned, bundle.identity.description, reason: "installedUnsigned")
        }
        let known = try current()
        let subject = TrustDecision.Subject(bundle)
        if let key = keys(known, in: records.registry)[subject] { return key }
        let keyID: KeyID
        do throws(SigningError) {
            keyID = try KeyID(bundle.seal.keyID)
        } catch {
            throw AtriumError(
                .registryDamaged, bundle.identity.description, reason: "keyUnreadable",
                ["key": .text(bundle.seal.keyID)])
        }
        // The decision for a load doesn't depend on the time.
        let key = try store().validate(
            keyID: keyID, team: bundle.seal.team, identifier: bundle.identity.identifier,
            appGroups: bundle.appGroups, subject: bundle.identity.description, purpose: .load, at: Clock.now()
        ).base64
        remember(TrustDecision(subject: subject, key: key), under: known)
        return key
    }

    private func current() throws(AtriumError) -> Known {
        let identity = try file.identity
        if let known = known.withLock({ $0 }), known.identity == identity { return known }
        let now = Known(identity: identity, lasting: identity.lasting)
        known.withLock { $0 = now }
        return now
    }

    private func keys(_ known: Known, in registry: Registry) -> [TrustDecision.Subject: String] {
        if let keys = known.keys { return keys }
        let decisions = known.lasting.flatMap { try? registry.trustDecisions.all(for: $0) } ?? []
        let keys = Dictionary(decisions.map { ($0.subject, $0.key) }) { $1 }
        self.known.withLock { now in
            if now?.identity == known.identity, now?.keys == nil { now?.keys = keys }
        }
        return keys
    }

    private func remember(_ decision: TrustDecision, under known: Known) {
        self.known.withLock { now in
            guard now?.identity == known.identity else { return }
            now?.keys?[decision.subject] = decision.key
            now?.unsaved.append(decision)
        }
    }
}
