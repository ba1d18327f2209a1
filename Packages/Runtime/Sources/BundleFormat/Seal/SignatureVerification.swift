public import PluginCore
public import Signing

/// The purpose for which a signer must be trusted.
public enum VerificationPurpose: Hashable, Sendable {
    /// The bundle is to be installed.
    case install
    /// The bundle is installed and is to be loaded.
    case load
}

/// The check that the signature of a seal is valid, and its signer trusted.
public struct SignatureVerification: Sendable {
    /// Checks a signature of the bytes of a seal. The team has to own the identifier and the app groups of the manifest.
    public typealias Check =
        @Sendable (
            _ signature: MinisignSignature, _ source: [UInt8], _ seal: Seal, _ manifest: Manifest, _ subject: String
        ) throws(AtriumError) -> Void

    let validate: Check

    /// Creates a check, which throws an error with the given subject.
    public init(_ validate: @escaping Check) {
        self.validate = validate
    }

    /// Returns a verification that also checks the manifest, given the subject of an error.
    public func checking(
        _ check: @escaping @Sendable (Manifest, String) throws(AtriumError) -> Void
    ) -> SignatureVerification {
        SignatureVerification { signature, source, seal, manifest, subject throws(AtriumError) in
            try validate(signature, source, seal, manifest, subject)
            try check(manifest, subject)
        }
    }
}

extension SealedPackage {
    /// Checks that the team in the seal owns the bundle's name and has signed the seal.
    ///
    /// - Throws: ``AtriumError`` with code `signatureInvalid`, `teamUnknown`, `teamForeign`, `groupForeign`, `keyRetired` or `keyRevoked`.
    public func verify(by verification: SignatureVerification) throws(AtriumError) {
        try verification.validate(signature, sealSource, seal, manifest, manifest.identity.description)
    }
}
