internal import CCrypto

/// SHA-256 (FIPS 180-4) of bytes that come piece by piece.
///
/// ```swift
/// let hasher = SHA256Hasher()
/// hasher.update(piece)
/// print(try hasher.finish().hexadecimal)
/// ```
public final class SHA256Hasher {
    private let digest = MessageDigest(EVP_sha256())

    /// A hasher that has seen nothing yet.
    public init() {}

    /// Takes the next bytes.
    public func update(_ bytes: UnsafeRawBufferPointer) {
        digest.update(bytes)
    }

    /// The digest of all that came, 32 bytes; a hasher gives it once.
    ///
    /// - Throws: ``SigningError`` with code `cryptoFailed` when libcrypto could not hash some of it, or was asked twice.
    public func finish() throws(SigningError) -> [UInt8] {
        try digest.finish()
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
