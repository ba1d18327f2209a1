import BundleFormat
import Registry
import HostSystem
import PluginCore
import Signing

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
                "its seal is signed with key \(signature.keyID), but it was installed with key \(key.id)")
        }
        do throws(SigningError) {
            try signature.verify(source, by: key)
        } catch {
            throw AtriumError(.signatureInvalid, bundle.identity.description, detail: error.detail)
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
            throw broken("its \(Seal.name) is not the installed one")
        }
        return contents
    }

    private func contents(of name: String, limit: Int) throws(AtriumError) -> (bytes: [UInt8], stamp: FileStamp) {
        switch try FileSystem.contents(of: folder.appending(name), limit: limit) {
        case .file(let bytes, let stamp): return (bytes, stamp)
        case .nothing: throw broken("there is no \(name) in it any more")
        case .other: throw broken("its \(name) is not a regular file of at most \(limit) bytes")
        }
    }

    private func broken(_ detail: String) -> AtriumError {
        AtriumError(.sealBroken, bundle.identity.description, detail: detail)
    }
}
