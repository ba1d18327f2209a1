public import Signing
public import PluginCore

/// Who decides whether the signer of a seal is to be believed.
public enum SealAuthority: Sendable {
    /// One key, whatever team the seal names.
    case key(VerifyingKey)
}

extension SealAuthority {
    /// Whether a signature is to be believed.
    ///
    /// - Throws: ``AtriumError`` with code `signatureInvalid` or `teamUnknown`.
    func judge(
        _ signature: MinisignSignature, of source: [UInt8], _ seal: Seal, _ identity: BundleIdentity?,
        in subject: String
    ) throws(AtriumError) {
        let key: VerifyingKey
        switch self {
        case .key(let only): key = only
        }
        do throws(SigningError) {
            try signature.verify(source, by: key)
        } catch {
            throw AtriumError(
                error.code == .keyMismatch ? .teamUnknown : .signatureInvalid, subject, detail: error.detail)
        }
    }
}

extension SealedPackage {
    /// Whether the team that the seal names may own the bundle, and has signed the seal.
    ///
    /// - Throws: ``AtriumError`` with code `signatureInvalid` or `teamUnknown`.
    public func verify(by authority: SealAuthority) throws(AtriumError) {
        try authority.judge(signature, of: sealSource, seal, manifest.identity, in: manifest.identity.description)
    }
}
