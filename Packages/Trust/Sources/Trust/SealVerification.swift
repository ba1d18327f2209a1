import BundleFormat
import HostSystem
import PluginCore
import PluginRuntime
import Registry
import Signing
import Synchronization

/// The verification of installed seals, before each load and each access to resources.
///
/// Seals and signatures are read on first use. Their stamps are stored in the registry with the signer's key, so that unchanged
/// files aren't read again, even by later processes.
final class SealVerification: Sendable {
    /// The stamps of the verified seals, each with the signer's key, as in the registry, and whether they are stored there.
    private let known = Mutex<[PluginBundle: (record: String, isSaved: Bool)]>([:])

    /// Checks that the seal is the installed one, and that a key has signed it.
    ///
    /// - Throws: ``AtriumError`` with code `sealBroken`, `signatureInvalid` or `inputOutput`.
    func requireSealed(_ bundle: PluginBundle, in sandbox: Sandbox, by key: VerifyingKey) throws(AtriumError) {
        let seal = InstalledSeal(of: bundle, in: sandbox)
        if let stamp = try seal.stamp() {
            let record = "\(stamp) \(key.base64)"
            if record == bundle.seal.sealStamp || record == known.withLock({ $0[bundle]?.record }) { return }
        }
        guard let stamp = try seal.verify(by: key) else { return }
        known.withLock { $0[bundle] = ("\(stamp) \(key.base64)", false) }
    }

    /// Stores the seals that were verified.
    func saveRecords(in records: LoadRecords) {
        let unsaved = known.withLock { known in
            defer { for bundle in known.keys { known[bundle]?.isSaved = true } }
            return known.filter { !$0.value.isSaved }
        }
        for (bundle, seal) in unsaved { records.add(.seal, seal.record, of: bundle) }
    }
}

extension InstalledSeal {
    /// Checks that the seal is the installed one and that a key has signed it.
    ///
    /// - Returns: the stamps of both files; `nil` when a later change might not alter them.
    /// - Throws: ``AtriumError`` with code `sealBroken`, `signatureInvalid` or `inputOutput`.
    func verify(by key: VerifyingKey) throws(AtriumError) -> String? {
        let (source, sealStamp) = try read()
        let (bytes, signatureStamp) = try contents(of: Seal.signatureName, limit: SealedPackage.signatureLimit)
        let signature = try MinisignSignature(reading: bytes, of: bundle.identity.description)
        guard signature.keyID == key.id else {
            throw broken(
                ErrorReason(
                    "sealKeyDiffers", ["key": "\(signature.keyID)", "installed": "\(key.id)"]))
        }
        do {
            try signature.verify(source, by: key)
        } catch {
            throw AtriumError(.signatureInvalid, bundle.identity, reason: error.reason)
        }
        return sealStamp.isStable && signatureStamp.isStable ? "\(sealStamp.text) \(signatureStamp.text)" : nil
    }
}
