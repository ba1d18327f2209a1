import FoundationEssentials
public import PluginCore

/// The purpose for which a signer must be trusted.
public enum VerificationPurpose: Hashable, Sendable {
    /// The bundle is to be installed.
    case install
    /// The bundle is installed and is to be loaded.
    case load
}

/// The check that the signature of a seal is valid, and its signer trusted.
public struct SignatureVerification: Sendable {
    /// Checks the content of a signature's file. The team has to own the identifier and the app groups of the manifest.
    public typealias Check =
        @Sendable (
            _ signature: [UInt8], _ source: [UInt8], _ seal: Seal, _ manifest: Manifest, _ subject: String
        ) throws(AtriumError) -> Void

    let validate: Check

    /// Creates a check, which throws an error with the given subject.
    public init(_ validate: @escaping Check) {
        self.validate = validate
    }

    /// Returns a verification that also checks the manifest, given the subject of an error.
    public func checking(
        _ check: @escaping @Sendable (Manifest, String) throws(AtriumError) -> Void
    ) -> Self {
        Self { signature, source, seal, manifest, subject throws(AtriumError) in
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

extension SignatureVerification {
    /// Returns the identifier of the key that a signature names, in the format of minisign.
    ///
    /// - Throws: ``AtriumError`` with code `signatureInvalid` for anything but a signature. Only a verification reads the rest of it.
    static func keyID(in signature: [UInt8], of subject: String) throws(AtriumError) -> String {
        let lines = signature.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let bytes = lines.count > 1 ? Data(base64Encoded: Data(lines[1])).map(Array.init) : nil
        guard let bytes, bytes.count == 74 else {
            throw AtriumError(
                .signatureInvalid, subject, reason: "signatureUnreadable",
                ["name": .text(Seal.signatureName), "problem": .reason(ErrorReason("signatureSecondLine"))])
        }
        return bytes[2..<10].reversed().map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}
