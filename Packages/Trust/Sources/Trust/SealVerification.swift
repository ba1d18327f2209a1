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
    private struct Known {
        /// The stamps of the verified seals, each with the signer's key, as in the registry.
        var seals: [PluginBundle: String] = [:]
        /// Those that aren't stored in the registry yet.
        var unsaved: [PluginBundle: String] = [:]
    }

    private let known = Mutex(Known())

    /// Checks that the seal is the installed one, and that a key has signed it.
    ///
    /// - Throws: ``AtriumError`` with code `sealBroken`, `signatureInvalid` or `inputOutput`.
    func requireSealed(_ bundle: PluginBundle, in sandbox: Sandbox, by key: VerifyingKey) throws(AtriumError) {
        let seal = InstalledSeal(of: bundle, in: sandbox)
        if let stamp = try seal.stamp() {
            let record = "\(stamp) \(key.base64)"
            let isKnown = known.withLock { known in
                if known.seals[bundle] == record { return true }
                guard record == bundle.seal.sealStamp else { return false }
                known.seals[bundle] = record
                return true
            }
            if isKnown { return }
        }
        guard let stamp = try seal.verify(by: key) else { return }
        known.withLock { known in
            known.seals[bundle] = "\(stamp) \(key.base64)"
            known.unsaved[bundle] = known.seals[bundle]
        }
    }

    /// Stores the seals that were verified.
    func saveRecords(in records: LoadRecords) {
        let unsaved = known.withLock { known in
            defer { known.unsaved = [:] }
            return known.unsaved
        }
        for (bundle, record) in unsaved { records.add(.seal, record, of: bundle) }
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
        do throws(SigningError) {
            try signature.verify(source, by: key)
        } catch {
            throw AtriumError(.signatureInvalid, bundle.identity.description, reason: error.reason)
        }
        return sealStamp.isStable && signatureStamp.isStable ? "\(sealStamp.text) \(signatureStamp.text)" : nil
    }
}
