/// A signature in minisign's format: who signed, and a comment that is signed too.
///
/// ```swift
/// let signature = try MinisignSignature(text)
/// try signature.verify(message, by: key)
/// print(signature.trustedComment)
/// ```
public struct MinisignSignature: Hashable, Sendable {
    /// What was signed: the message, or its ``Prehash``.
    public enum Algorithm: Hashable, Sendable {
        /// The message itself; what minisign wrote before 0.10 and writes with `-l`.
        case legacy
        /// BLAKE2b-512 of the message.
        case prehashed
    }

    /// How the message was signed.
    public let algorithm: Algorithm
    /// The key that says it has signed.
    public let keyID: KeyID
    /// Anybody may have written it.
    public let untrustedComment: String
    /// Whoever signed the message wrote it, once ``verify(_:by:)`` has passed.
    public let trustedComment: String
    /// Of the message, 64 bytes.
    let signature: [UInt8]
    /// Of the signature with the trusted comment behind it, 64 bytes.
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

    /// The bytes that the global signature signs.
    static func signedWithComment(_ signature: [UInt8], _ trustedComment: String) -> [UInt8] {
        signature + Array(trustedComment.utf8)
    }
}
