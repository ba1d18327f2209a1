public import PluginCore
public import Signing

/// Who decides whether the signer of a seal is to be believed.
public enum SealAuthority: Sendable {
    /// A host's trust store, by which a team may own the bundle's name or not.
    ///
    /// - Parameter at: now, in seconds since 1970.
    case trust(TrustStore, TrustStore.Purpose, at: Int64)
    /// One key, whatever team the seal names and whatever the bundle is called.
    case key(VerifyingKey)
}

extension SealAuthority {
    /// Returns whether a signature is to be believed.
    ///
    /// - Parameters:
    ///   - manifest: the bundle's, whose names the team has to own.
    ///   - subject: what the error is to be about.
    /// - Throws: ``AtriumError`` with code `signatureInvalid`, `teamUnknown`, `teamForeign`, `groupForeign`, `keyRetired` or `keyRevoked`.
    func judge(
        _ signature: MinisignSignature, of source: [UInt8], _ seal: Seal, of manifest: Manifest, in subject: String
    ) throws(AtriumError) {
        let key: VerifyingKey
        switch self {
        case .key(let only): key = only
        case .trust(let store, let purpose, let time):
            key = try store.judge(
                keyID: signature.keyID, team: seal.team, identifier: manifest.identity.identifier,
                appGroups: manifest.appGroups, subject: subject, purpose: purpose, at: time)
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
    /// Returns whether the team that the seal names may own the bundle, and has signed the seal.
    ///
    /// - Throws: ``AtriumError`` with code `signatureInvalid`, `teamUnknown`, `teamForeign`, `groupForeign`, `keyRetired` or `keyRevoked`.
    public func verify(by authority: SealAuthority) throws(AtriumError) {
        try authority.judge(signature, of: sealSource, seal, of: manifest, in: manifest.identity.description)
    }

    /// The same by a trust store.
    ///
    /// - Parameter time: now, in seconds since 1970.
    public func verify(
        by store: TrustStore, for purpose: TrustStore.Purpose, at time: Int64
    ) throws(AtriumError) {
        try verify(by: .trust(store, purpose, at: time))
    }
}
