internal import CCrypto

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece.
///
/// ```swift
/// let hasher = SHA256Hasher()
/// hasher.update(piece)
/// print(try hasher.finish().hexadecimal)
/// ```
public final class SHA256Hasher {
    /// Hashed by the functions of SHA-256 itself: `EVP` would first set up the whole library, and most processes only verify a file
    /// or two.
    private var context = SHA256_CTX()
    private var isWhole: Bool

    /// A hasher that has seen nothing yet.
    public init() {
        isWhole = SHA256_Init(&context) == 1
    }

    /// Takes the next bytes.
    public func update(_ bytes: UnsafeRawBufferPointer) {
        guard isWhole, let start = bytes.baseAddress else { return }
        isWhole = SHA256_Update(&context, start, bytes.count) == 1
    }

    /// The digest of all that came, 32 bytes; a hasher gives it once.
    ///
    /// - Throws: ``SigningError`` with code `cryptoFailed` when libcrypto could not hash some of it, or was asked twice.
    public func finish() throws(SigningError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        guard isWhole, SHA256_Final(&digest, &context) == 1 else { throw .crypto("hash") }
        isWhole = false
        return digest
    }

    /// The digest of some bytes.
    public static func digest(of bytes: some Collection<UInt8>) throws(SigningError) -> [UInt8] {
        let hasher = SHA256Hasher()
        if bytes.withContiguousStorageIfAvailable({ hasher.update(UnsafeRawBufferPointer($0)) }) == nil {
            Array(bytes).withUnsafeBytes { hasher.update($0) }
        }
        return try hasher.finish()
    }
}
