internal import CCrypto

/// BLAKE2b-512 (RFC 7693) of a message that comes piece by piece: what minisign signs instead of the message.
public final class Prehash {
    private let digest = MessageDigest(EVP_blake2b512())

    /// A prehash of nothing yet.
    public init() {}

    /// Takes the next bytes.
    public func update(_ bytes: UnsafeRawBufferPointer) {
        digest.update(bytes)
    }

    func finish() throws(SigningError) -> [UInt8] {
        try digest.finish()
    }
}
