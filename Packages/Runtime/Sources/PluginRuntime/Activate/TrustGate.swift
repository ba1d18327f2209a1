import PluginCore
import Signing
import Synchronization

/// The trust store as a manager asks it: read when it is first needed, and again when one of its files has changed.
final class TrustGate: Sendable {
    private let file: TrustFile
    private let known = Mutex<(identity: TrustFile.Identity, store: TrustStore)?>(nil)

    init(_ file: TrustFile) {
        self.file = file
    }

    /// Whom the host trusts now.
    ///
    /// - Throws: as ``TrustFile/read()``.
    func store() throws(AtriumError) -> TrustStore {
        let identity = try file.identity
        if let known = known.withLock({ $0 }), known.identity == identity { return known.store }
        let store = try file.read()
        known.withLock { $0 = (identity, store) }
        return store
    }

    /// Whether what was let in may still be loaded.
    ///
    /// - Throws: ``AtriumError`` with code `unsigned`, `teamUnknown`, `teamForeign` or `keyRevoked`, and as ``store()``.
    func requireLoadable(_ bundle: PluginBundle) throws(AtriumError) {
        guard !bundle.seal.team.isEmpty else {
            throw AtriumError(
                .unsigned, bundle.identity.description, detail: "it was installed when that was not asked for")
        }
        let keyID: KeyID
        do throws(SigningError) {
            keyID = try KeyID(bundle.seal.keyID)
        } catch {
            throw AtriumError(
                .registryDamaged, bundle.identity.description, detail: "key \"\(bundle.seal.keyID)\" can not be read")
        }
        _ = try store().judge(
            keyID: keyID, team: bundle.seal.team, identifier: bundle.identity.identifier,
            subject: bundle.identity.description, purpose: .load, at: Clock.now())
    }
}
