import Registry
import PluginCore
import Signing
import Synchronization

/// The verification of installed seals, before each load and each access to resources.
///
/// Seals and signatures are read on first use. Their stamps are stored in the registry with the signer's key, so that unchanged
/// files aren't read again, even by later processes.
final class SealVerification: Sendable {
    private struct Mark: Hashable {
        let stamp: InstalledSeal.Stamp
        let key: String

        /// The text in the registry.
        var text: String { "\(stamp.text) \(key)" }
    }

    private struct Known {
        var marks: [PluginBundle: Mark] = [:]
        /// The verified seals that aren't stored in the registry yet.
        var news: [PluginBundle: Mark] = [:]
    }

    private let sandbox: Sandbox
    private let records: LoadRecords
    private let known = Mutex(Known())

    init(_ sandbox: Sandbox, remembering records: LoadRecords) {
        self.sandbox = sandbox
        self.records = records
    }

    /// Checks that the seal is the installed one, and that a key has signed it.
    ///
    /// - Parameter key: the text of the ``VerifyingKey``.
    /// - Throws: ``AtriumError`` with code `sealBroken`, `signatureInvalid` or `inputOutput`.
    func requireSealed(_ bundle: PluginBundle, by key: String) throws(AtriumError) {
        let seal = InstalledSeal(of: bundle, in: sandbox)
        if let stamp = try seal.stamp() {
            let mark = Mark(stamp: stamp, key: key)
            let isKnown = known.withLock { known in
                if known.marks[bundle] == mark { return true }
                guard mark.text == bundle.seal.sealStamp else { return false }
                known.marks[bundle] = mark
                return true
            }
            if isKnown { return }
        }
        let verifyingKey: VerifyingKey
        do throws(SigningError) {
            verifyingKey = try VerifyingKey(key)
        } catch {
            throw AtriumError(.registryDamaged, bundle.identity.description, detail: "key \"\(key)\" cannot be read")
        }
        guard let stamp = try seal.verify(by: verifyingKey) else { return }
        known.withLock { known in
            known.marks[bundle] = Mark(stamp: stamp, key: key)
            known.news[bundle] = known.marks[bundle]
        }
    }

    /// Stores the seals that were verified.
    func saveRecords() {
        let news = known.withLock { known in
            defer { known.news = [:] }
            return known.news
        }
        for (bundle, mark) in news { records.add(.seal, mark.text, of: bundle) }
    }
}
