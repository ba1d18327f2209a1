import PluginCore
import Signing
import Synchronization

/// The trust store as a manager asks it: read when it is first needed, and again when one of its files has changed.
///
/// What it has said of loads outlives the process, in the registry, beside the stamps of the files that it was read from: as long
/// as these are the same, a load reads neither file. The registry is believed no more by that than it is anyway: it is the one
/// that says who has signed a version.
final class TrustGate: Sendable {
    private let file: TrustFile
    private let registry: Registry
    private let records: LoadRecords
    private let known = Mutex<Known?>(nil)

    private struct Known {
        let identity: TrustFile.Identity
        /// Under which the registry may keep what was said; taken before the files were read.
        let lasting: String?
        var store: TrustStore?
        /// What may be loaded, and the keys that have signed it: lines of the registry's note, without and behind their last word.
        var loadable: [String: String]
        /// A Boolean value that indicates whether the registry does not have all of it.
        var isNews = false
    }

    init(_ file: TrustFile, remembering records: LoadRecords, in registry: Registry) {
        self.file = file
        self.records = records
        self.registry = registry
    }

    /// Whom the host trusts now.
    ///
    /// - Throws: as ``TrustFile/read()``.
    func store() throws(AtriumError) -> TrustStore {
        let known = try current()
        if let store = known.store { return store }
        let store = try file.read()
        self.known.withLock { if $0?.identity == known.identity { $0?.store = store } }
        return store
    }

    /// Returns whether what was let in may still be loaded, as far as its signer is concerned.
    ///
    /// - Returns: the key that must have signed it, as minisign writes it.
    /// - Throws: ``AtriumError`` with code `unsigned`, `teamUnknown`, `teamForeign`, `groupForeign` or `keyRevoked`, and as ``store()``.
    func requireLoadable(_ bundle: PluginBundle) throws(AtriumError) -> String {
        guard !bundle.seal.team.isEmpty else {
            throw AtriumError(
                .unsigned, bundle.identity.description, detail: "it was installed when that was not asked for")
        }
        let known = try current()
        let groups = bundle.appGroups.isEmpty ? "-" : bundle.appGroups.joined(separator: ",")
        let line = "\(bundle.identity.identifier) \(bundle.seal.team) \(bundle.seal.keyID) \(groups)"
        if let key = known.loadable[line] { return key }
        let keyID: KeyID
        do throws(SigningError) {
            keyID = try KeyID(bundle.seal.keyID)
        } catch {
            throw AtriumError(
                .registryDamaged, bundle.identity.description, detail: "key \"\(bundle.seal.keyID)\" cannot be read")
        }
        // What it says of a load does not depend on the time.
        let key = try store().judge(
            keyID: keyID, team: bundle.seal.team, identifier: bundle.identity.identifier,
            appGroups: bundle.appGroups, subject: bundle.identity.description, purpose: .load, at: Clock.now()
        ).base64
        remember(line, key, under: known)
        return key
    }

    private func current() throws(AtriumError) -> Known {
        let identity = try file.identity
        if let known = known.withLock({ $0 }), known.identity == identity { return known }
        let lasting = identity.lasting
        let lines = (try? registry.note(Self.note))?.split(separator: "\n").map(String.init) ?? []
        let isSame = lasting != nil && lines.first == lasting
        let now = Known(
            identity: identity, lasting: lasting, store: nil, loadable: isSame ? Self.loadable(lines.dropFirst()) : [:])
        known.withLock { $0 = now }
        return now
    }

    private static func loadable(_ lines: some Sequence<String>) -> [String: String] {
        var loadable: [String: String] = [:]
        for line in lines {
            // Earlier hosts wrote no key, or did not ask about app groups.
            let words = line.split(separator: " ")
            if words.count == 5 { loadable[words.dropLast().joined(separator: " ")] = String(words[4]) }
        }
        return loadable
    }

    private func remember(_ line: String, _ key: String, under known: Known) {
        self.known.withLock { now in
            guard now?.identity == known.identity else { return }
            now?.loadable[line] = key
            now?.isNews = true
        }
    }

    /// Has it written down what may be loaded, when that is more than before: what was loaded may write, and nothing else.
    func keep() {
        let text = known.withLock { known -> String? in
            guard let now = known, now.isNews, let lasting = now.lasting else { return nil }
            known?.isNews = false
            return ([lasting] + now.loadable.map { "\($0) \($1)" }.sorted()).joined(separator: "\n")
        }
        if let text { records.add(note: Self.note, text) }
    }

    /// What the registry calls it.
    private static let note = "loadable"
}
