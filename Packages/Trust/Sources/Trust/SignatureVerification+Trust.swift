public import BundleFormat
import PluginCore
public import Signing

extension SignatureVerification {
    /// Returns the check by a host's trust store, which also says which team owns the bundle's name.
    ///
    /// - Parameter time: the current time, in seconds since 1970.
    public static func trust(_ store: TrustStore, _ purpose: VerificationPurpose, at time: Int64) -> Self {
        Self { signature, source, seal, manifest, subject throws(AtriumError) in
            let key = try store.validate(
                keyID: signature.keyID, team: seal.team, identifier: manifest.identity.identifier,
                appGroups: manifest.appGroups, subject: subject, purpose: purpose, at: time)
            try verify(signature, of: source, by: key, in: subject)
        }
    }

    /// Returns the check by a single key, regardless of the team in the seal and of the bundle's name.
    public static func key(_ key: VerifyingKey) -> Self {
        Self { signature, source, _, _, subject throws(AtriumError) in
            try verify(signature, of: source, by: key, in: subject)
        }
    }

    private static func verify(
        _ signature: MinisignSignature, of source: [UInt8], by key: VerifyingKey, in subject: String
    ) throws(AtriumError) {
        do throws(SigningError) {
            try signature.verify(source, by: key)
        } catch {
            throw AtriumError(
                error.code == .keyMismatch ? .teamUnknown : .signatureInvalid, subject, reason: error.reason)
        }
    }
}
