import PluginCore
import Signing

/// Seal and signature of an installed version, as they lie on the disk now.
struct InstalledSeal: Sendable {
    private let bundle: PluginBundle
    private let folder: FilePath

    init(of bundle: PluginBundle, in sandbox: Sandbox) {
        self.bundle = bundle
        folder = sandbox.folder(of: bundle)
    }

    /// What both files are known by, as long as nobody touches them.
    struct Stamp: Hashable {
        fileprivate let seal: FileStamp
        fileprivate let signature: FileStamp

        /// As it is written down.
        var text: String { "\(seal.text) \(signature.text)" }
    }

    /// One look at each file. `nil` when one is not there.
    func stamp() throws(AtriumError) -> Stamp? {
        guard let seal = try FileStamp(of: folder.appending(Seal.name)),
            let signature = try FileStamp(of: folder.appending(Seal.signatureName))
        else { return nil }
        return Stamp(seal: seal, signature: signature)
    }

    /// Makes sure that the seal is the one that was let in, and that a key has signed it.
    ///
    /// - Returns: what both files may be known by from now on; `nil` when a change might not show.
    /// - Throws: ``AtriumError`` with code `sealBroken`, `signatureInvalid` or `inputOutput`.
    func verify(by key: VerifyingKey) throws(AtriumError) -> Stamp? {
        let (source, sealStamp) = try read()
        let (bytes, signatureStamp) = try contents(of: Seal.signatureName, limit: SealedPackage.signatureLimit)
        let signature = try MinisignSignature(reading: bytes, of: bundle.identity.description)
        guard signature.keyID == key.id else {
            throw broken(
                "its seal was signed with key \(signature.keyID) when key \(key.id) had signed what was installed")
        }
        do throws(SigningError) {
            try signature.verify(source, by: key)
        } catch {
            throw AtriumError(.signatureInvalid, bundle.identity.description, detail: error.detail)
        }
        return sealStamp.isSettled && signatureStamp.isSettled ? Stamp(seal: sealStamp, signature: signatureStamp) : nil
    }

    /// The bytes of the seal that was let in.
    ///
    /// - Throws: ``AtriumError`` with code `sealBroken` when there is another one, or none; `inputOutput`.
    func source() throws(AtriumError) -> [UInt8] {
        try read().bytes
    }

    private func read() throws(AtriumError) -> (bytes: [UInt8], stamp: FileStamp) {
        let contents = try contents(of: Seal.name, limit: Seal.sizeLimit)
        guard try ContentDigest.of(contents.bytes) == bundle.digest else {
            throw broken("its \(Seal.name) is not the one that was installed")
        }
        return contents
    }

    private func contents(of name: String, limit: Int) throws(AtriumError) -> (bytes: [UInt8], stamp: FileStamp) {
        switch try FileSystem.contents(of: folder.appending(name), limit: limit) {
        case .file(let bytes, let stamp): return (bytes, stamp)
        case .nothing: throw broken("there is no \(name) in it any more")
        case .other: throw broken("its \(name) is no file of at most \(limit) bytes")
        }
    }

    private func broken(_ detail: String) -> AtriumError {
        AtriumError(.sealBroken, bundle.identity.description, detail: detail)
    }
}
