import Registry
import PluginCore
import Signing
import Synchronization
import BundleFormat
import HostSystem

/// The verification of installed seals, before each load and each access to resources.
///
/// Seals and signatures are read on first use. Their stamps are stored in the registry with the signer's key, so that unchanged
/// files aren't read again, even by later processes.
final class SealVerification: Sendable {
    private struct VerifiedSeal: Hashable {
        let stamp: InstalledSeal.Stamp
        let key: String

        /// The text in the registry.
        var text: String { "\(stamp.text) \(key)" }
    }

    private struct Known {
        var seals: [PluginBundle: VerifiedSeal] = [:]
        /// The verified seals that aren't stored in the registry yet.
        var unsaved: [PluginBundle: VerifiedSeal] = [:]
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
            let record = VerifiedSeal(stamp: stamp, key: key)
            let isKnown = known.withLock { known in
                if known.seals[bundle] == record { return true }
                guard record.text == bundle.seal.sealStamp else { return false }
                known.seals[bundle] = record
                return true
            }
            if isKnown { return }
        }
        let verifyingKey: VerifyingKey
        do throws(SigningError) {
            verifyingKey = try VerifyingKey(key)
        } catch {
            throw AtriumError(
                .registryDamaged, bundle.identity.description, reason: "keyUnreadable", ["key": .text(key)])
        }
        guard let stamp = try seal.verify(by: verifyingKey) else { return }
        known.withLock { known in
            known.seals[bundle] = VerifiedSeal(stamp: stamp, key: key)
            known.unsaved[bundle] = known.seals[bundle]
        }
    }

    /// Stores the seals that were verified.
    func saveRecords() {
        let unsaved = known.withLock { known in
            defer { known.unsaved = [:] }
            return known.unsaved
        }
        for (bundle, record) in unsaved { records.add(.seal, record.text, of: bundle) }
    }
}

/// The seal and signature of an installed version, as they are on the disk now.
struct InstalledSeal: Sendable {
    private let bundle: PluginBundle
    private let folder: FilePath

    init(of bundle: PluginBundle, in sandbox: Sandbox) {
        self.bundle = bundle
        folder = sandbox.folder(of: bundle)
    }

    /// The stamps of both files, which stay equal while neither changes.
    struct Stamp: Hashable {
        fileprivate let seal: FileStamp
        fileprivate let signature: FileStamp

        /// The stamp's text in the registry.
        var text: String { "\(seal.text) \(signature.text)" }
    }

    /// Examines both files without reading them.
    ///
    /// - Returns: `nil` when one doesn't exist.
    func stamp() throws(AtriumError) -> Stamp? {
        guard let seal = try FileStamp(of: folder.appending(Seal.name)),
            let signature = try FileStamp(of: folder.appending(Seal.signatureName))
        else { return nil }
        return Stamp(seal: seal, signature: signature)
    }

    /// Checks that the seal is the installed one and that a key has signed it.
    ///
    /// - Returns: the stamps of both files; `nil` when a later change might not alter them.
    /// - Throws: ``AtriumError`` with code `sealBroken`, `signatureInvalid` or `inputOutput`.
    func verify(by key: VerifyingKey) throws(AtriumError) -> Stamp? {
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
        return sealStamp.isStable && signatureStamp.isStable ? Stamp(seal: sealStamp, signature: signatureStamp) : nil
    }

    /// Reads the seal and checks that it is the installed one.
    ///
    /// - Throws: ``AtriumError`` with code `sealBroken` when it is missing or another one, or `inputOutput`.
    func source() throws(AtriumError) -> [UInt8] {
        try read().bytes
    }

    private func read() throws(AtriumError) -> (bytes: [UInt8], stamp: FileStamp) {
        let contents = try contents(of: Seal.name, limit: Seal.sizeLimit)
        guard try ContentDigest.of(contents.bytes) == bundle.digest else {
            throw broken(ErrorReason("sealNotInstalled", ["name": .text(Seal.name)]))
        }
        return contents
    }

    private func contents(of name: String, limit: Int) throws(AtriumError) -> (bytes: [UInt8], stamp: FileStamp) {
        switch try FileSystem.contents(of: folder.appending(name), limit: limit) {
        case .file(let bytes, let stamp): return (bytes, stamp)
        case .nothing: throw broken(ErrorReason("partGone", ["name": .text(name)]))
        case .other:
            throw broken(
                ErrorReason(
                    "partNotFile", ["name": .text(name), "limit": .integer(limit)]))
        }
    }

    private func broken(_ reason: ErrorReason) -> AtriumError {
        AtriumError(.sealBroken, bundle.identity.description, reason: reason)
    }
}
