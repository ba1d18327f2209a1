internal import CCrypto

/// The incremental BLAKE2b-512 hash of a message, which minisign signs in place of the message.
///
/// See RFC 7693.
public final class Prehash {
    private let digest = MessageDigest(EVP_blake2b512())

    /// Creates the prehash of an empty message.
    public init() {}

    /// Appends bytes to the message.
    public func update(_ bytes: UnsafeRawBufferPointer) {
        digest.update(bytes)
    }

    func finish() throws(SigningError) -> [UInt8] {
        try digest.finish()
    }
}
