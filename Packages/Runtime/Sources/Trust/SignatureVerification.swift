public import BundleFormat
public import PluginCore
public import Signing

/// The authority that decides whether the signer of a seal is trusted.
public enum SignatureVerification: Sendable {
    /// A host's trust store, which also says which team owns the bundle's name.
    ///
    /// - Parameter at: the current time, in seconds since 1970.
    case trust(TrustStore, TrustStore.Purpose, at: Int64)
    /// A single key, regardless of the team in the seal and of the bundle's name.
    case key(VerifyingKey)
}

extension SignatureVerification {
    /// Checks that a signature is valid and trusted.
    ///
    /// - Parameters:
    ///   - manifest: the bundle's manifest, whose identifier and app groups the team has to own.
    ///   - subject: the subject of an error.
    /// - Throws: ``AtriumError`` with code `signatureInvalid`, `teamUnknown`, `teamForeign`, `groupForeign`, `keyRetired` or `keyRevoked`.
    package func validate(
        _ signature: MinisignSignature, of source: [UInt8], _ seal: Seal, of manifest: Manifest, in subject: String
    ) throws(AtriumError) {
        let key: VerifyingKey
        switch self {
        case .key(let only): key = only
        case .trust(let store, let purpose, let time):
            key = try store.validate(
                keyID: signature.keyID, team: seal.team, identifier: manifest.identity.identifier,
                appGroups: manifest.appGroups, subject: subject, purpose: purpose, at: time)
        }
        do throws(SigningError) {
            try signature.verify(source, by: key)
        } catch {
            throw AtriumError(
                error.code == .keyMismatch ? .teamUnknown : .signatureInvalid, subject, reason: error.reason)
        }
    }
}

extension SealedPackage {
    /// Checks that the team in the seal owns the bundle's name and has signed the seal.
    ///
    /// - Throws: ``AtriumError`` with code `signatureInvalid`, `teamUnknown`, `teamForeign`, `groupForeign`, `keyRetired` or `keyRevoked`.
    public func verify(by verification: SignatureVerification) throws(AtriumError) {
        try verification.validate(signature, of: sealSource, seal, of: manifest, in: manifest.identity.description)
    }

    /// Checks the seal's signature with a trust store.
    ///
    /// - Parameter time: the current time, in seconds since 1970.
    public func verify(
        by store: TrustStore, for purpose: TrustStore.Purpose, at time: Int64
    ) throws(AtriumError) {
        try verify(by: .trust(store, purpose, at: time))
    }
}
