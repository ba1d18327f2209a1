import PluginCore
import Signing
import Synchronization

/// Whether the seal of an installed version is still there as it was let in: asked before each load and each hand-out of resources.
///
/// Seal and signature are read by the first who asks. What they are known by then outlives the process, in the registry, beside the
/// key that has signed; as long as nobody touches them, nobody reads them again.
final class SealGate: Sendable {
    private struct Mark: Hashable {
        let stamp: InstalledSeal.Stamp
        let key: String

        /// As the registry has it.
        var text: String { "\(stamp.text) \(key)" }
    }

    private struct Known {
        var marks: [PluginBundle: Mark] = [:]
        /// Those that the registry does not have.
        var news: [PluginBundle: Mark] = [:]
    }

    private let sandbox: Sandbox
    private let records: LoadRecords
    private let known = Mutex(Known())

    init(_ sandbox: Sandbox, remembering records: LoadRecords) {
        self.sandbox = sandbox
        self.records = records
    }

    /// Makes sure that the seal is the one that was let in, and that this key has signed it.
    ///
    /// - Parameter key: the line that ``VerifyingKey`` has.
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

    /// Has it written down what was verified and let through.
    func keep() {
        let news = known.withLock { known in
            defer { known.news = [:] }
            return known.news
        }
        for (bundle, mark) in news { records.add(.seal, mark.text, of: bundle) }
    }
}
