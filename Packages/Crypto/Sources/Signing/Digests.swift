import CCrypto
import PluginCore

/// An incremental SHA-256 hash.
///
/// See FIPS 180-4.
///
/// ```swift
/// let hasher = SHA256Hasher()
/// hasher.update(piece)
/// print(try hasher.finish().hexadecimal)
/// ```
public final class SHA256Hasher {
    /// The context of the low-level functions.
    ///
    /// `EVP` would first initialize the whole library, but most processes verify only one or two files.
    private var context = SHA256_CTX()
    private var isWhole: Bool

    /// Creates a hasher for an empty message.
    public init() {
        isWhole = SHA256_Init(&context) == 1
    }

    /// Appends bytes to the message.
    public func update(_ bytes: UnsafeRawBufferPointer) {
        guard isWhole, let start = bytes.baseAddress else { return }
        isWhole = SHA256_Update(&context, start, bytes.count) == 1
    }

    /// Returns the digest of 32 bytes. Only the first call succeeds.
    ///
    /// - Throws: ``SigningError`` with code `cryptoFailed` if libcrypto failed, or for a second call.
    public func finish() throws(SigningError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        guard isWhole, SHA256_Final(&digest, &context) == 1 else { throw .crypto(ErrorReason("libcryptoHash")) }
        isWhole = false
        return digest
    }

    /// Returns the digest of bytes.
    public static func digest(of bytes: some Collection<UInt8>) throws(SigningError) -> [UInt8] {
        let hasher = SHA256Hasher()
        if bytes.withContiguousStorageIfAvailable({ hasher.update(UnsafeRawBufferPointer($0)) }) == nil {
            Array(bytes).withUnsafeBytes { hasher.update($0) }
        }
        return try hasher.finish()
    }
}

/// The BLAKE2b-512 hash of a message, which minisign signs in place of the message.
///
/// See RFC 7693.
enum Prehash {
    static func of(_ message: [UInt8]) throws(SigningError) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard EVP_Digest(message, message.count, &hash, &count, EVP_blake2b512(), nil) == 1 else {
            throw .crypto(ErrorReason("libcryptoHash"))
        }
        return Array(hash.prefix(Int(count)))
    }
}

extension SigningError {
    /// Returns the error of an operation that failed, with the latest error of libcrypto as its cause.
    static func crypto(_ failure: ErrorReason) -> SigningError {
        // The first error in the queue is the cause. The others only report that it was passed on.
        let number = ERR_get_error()
        ERR_clear_error()
        guard number != 0, let cause = ERR_reason_error_string(number).map({ String(cString: $0) }) else {
            return SigningError(.cryptoFailed, reason: failure)
        }
        return SigningError(
            .cryptoFailed, reason: "because", ["reason": .reason(failure), "problem": .reason(.verbatim(cause))])
    }
}
