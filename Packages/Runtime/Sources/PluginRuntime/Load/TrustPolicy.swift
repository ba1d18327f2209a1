import BundleFormat
public import Registry
public import Trust
import HostSystem
public import PluginCore
import Signing
import Synchronization

/// The trust store of a manager, read on first use and again when one of its files has changed.
///
/// Its decisions about loads are stored in the registry with the stamps of the files, so that a load doesn't read unchanged
/// files. That doesn't require more trust in the registry, which also stores who has signed a version.
final class TrustPolicy: Sendable {
    private let file: TrustFile
    private let registry: Registry
    private let records: LoadRecords
    private let known = Mutex<Known?>(nil)

    private struct Known {
        let identity: TrustFile.Identity
        /// The text of the stamps from before the files were read, under which the registry may store decisions.
        let lasting: String?
        var store: TrustStore?
        /// The keys that must have signed the versions that may be loaded.
        var keys: [TrustDecision.Subject: String]
        /// The decisions that aren't stored in the registry yet.
        var unsaved: [TrustDecision] = []
    }

    init(_ file: TrustFile, remembering records: LoadRecords, in registry: Registry) {
        self.file = file
        self.records = records
        self.registry = registry
    }

    /// Returns the current trust store.
    ///
    /// - Throws: as ``TrustFile/read()``.
    func store() throws(AtriumError) -> TrustStore {
        let known = try current()
        if let store = known.store { return store }
        let store = try file.read()
        self.known.withLock { if $0?.identity == known.identity { $0?.store = store } }
        return store
    }

    /// Checks that the signer of an installed version is trusted for loading.
    ///
    /// - Returns: the key that must have signed it, in the format of minisign.
    /// - Throws: ``AtriumError`` with code `unsigned`, `teamUnknown`, `teamForeign`, `groupForeign` or `keyRevoked`, and as ``store()``.
    func requireLoadable(_ bundle: PluginBundle) throws(AtriumError) -> String {
        guard !bundle.seal.team.isEmpty else {
            throw AtriumError(.unsigned, bundle.identity.description, reason: "installedUnsigned")
        }
        let known = try current()
        let subject = TrustDecision.Subject(bundle)
        if let key = known.keys[subject] { return key }
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
        let lasting = identity.lasting
        let decisions = lasting.flatMap { try? registry.trustDecisions.all(for: $0) } ?? []
        let now = Known(
            identity: identity, lasting: lasting, store: nil,
            keys: Dictionary(decisions.map { ($0.subject, $0.key) }) { $1 })
        known.withLock { $0 = now }
        return now
    }

    private func remember(_ decision: TrustDecision, under known: Known) {
        self.known.withLock { now in
            guard now?.identity == known.identity else { return }
            now?.keys[decision.subject] = decision.key
            now?.unsaved.append(decision)
        }
    }

    /// Stores new decisions, after a version was loaded.
    func saveRecords() {
        let (stamp, decisions) = known.withLock { known -> (String?, [TrustDecision]) in
            defer { known?.unsaved = [] }
            return (known?.lasting, known?.unsaved ?? [])
        }
        if let stamp, !decisions.isEmpty { records.add(decisions, for: stamp) }
    }
}

extension TrustFile {
    /// Creates the trust store of a sandbox, without reading it.
    ///
    /// - Parameter shipped: the host's file, which need not exist.
    public init(shipped: FilePath?, sandbox: Sandbox) {
        self.init(shipped: shipped, own: sandbox.trust)
    }
}
