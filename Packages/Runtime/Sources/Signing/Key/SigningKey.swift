/// A secret Ed25519 key.
///
/// ```swift
/// let key = try SigningKey.generate()
/// let signature = try key.sign(message, trustedComment: "release 2.1.0")
/// try signature.verify(message, by: key.publicKey)
/// ```
public struct SigningKey: Sendable {
    let handle: KeyHandle
    /// The public key.
    public let publicKey: VerifyingKey

    /// - Parameter id: The existing identifier of the key, or `nil` to use the start of its public key's SHA-256 digest.
    init(_ handle: KeyHandle, id: KeyID? = nil) throws(SigningError) {
        let point = try handle.publicKey()
        self.handle = handle
        let derived = KeyID(try SHA256Hasher.digest(of: point).prefix(8))
        publicKey = try VerifyingKey(id: id ?? derived, point: point)
    }

    /// Generates a new key.
    ///
    /// - Throws: ``SigningError`` with code `cryptoFailed` if the system provides no randomness.
    public static func generate() throws(SigningError) -> SigningKey {
        try SigningKey(KeyHandle.generate())
    }

    /// Parses a secret key file in PEM or in minisign's format.
    ///
    /// - Throws: ``SigningError`` with code `passwordNeeded`, `passwordWrong`, `malformed` or `keyUnfit`.
    public init(text: String, password: String?) throws(SigningError) {
        if text.hasPrefix(VerifyingKey.comment) {
            try self.init(minisign: text, password: password)
        } else {
            try self.init(pem: text, password: password)
        }
    }
}
