/// A signature in minisign's format with the identifier of its key and a signed comment.
///
/// ```swift
/// let signature = try MinisignSignature(text)
/// try signature.verify(message, by: key)
/// print(signature.trustedComment)
/// ```
public struct MinisignSignature: Hashable, Sendable {
    /// The signed data: the message or its hash.
    public enum Algorithm: Hashable, Sendable {
        /// The message itself, as minisign before 0.10 signed it by default.
        case legacy
        /// The BLAKE2b-512 hash of the message.
        case prehashed
    }

    /// The signed data.
    public let algorithm: Algorithm
    /// The identifier of the key that claims to have signed.
    public let keyID: KeyID
    /// The comment that is not signed.
    public let untrustedComment: String
    /// The comment that is signed together with the message. It can be trusted only after verification.
    public let trustedComment: String
    /// The signature of the message, 64 bytes.
    let signature: [UInt8]
    /// The signature of the first signature and the trusted comment, 64 bytes.
    let globalSignature: [UInt8]

    init(
        _ algorithm: Algorithm, by keyID: KeyID, untrustedComment: String, trustedComment: String, signature: [UInt8],
        globalSignature: [UInt8]
    ) {
        self.algorithm = algorithm
        self.keyID = keyID
        self.untrustedComment = untrustedComment
        self.trustedComment = trustedComment
        self.signature = signature
        self.globalSignature = globalSignature
    }

    /// Returns the data of the global signature.
    static func signedWithComment(_ signature: [UInt8], _ trustedComment: String) -> [UInt8] {
        signature + Array(trustedComment.utf8)
    }
}
