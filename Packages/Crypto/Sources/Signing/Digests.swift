import CCrypto
import PluginCore

/// The hashes of libcrypto. minisign signs BLAKE2b-512 in place of a message.
///
/// See FIPS 180-4 and RFC 7693.
enum Hash {
    static func sha256(_ message: [UInt8]) throws(SigningError) -> [UInt8] { try of(message, EVP_sha256()) }

    static func blake2b(_ message: [UInt8]) throws(SigningError) -> [UInt8] { try of(message, EVP_blake2b512()) }

    private static func of(_ message: [UInt8], _ algorithm: OpaquePointer?) throws(SigningError) -> [UInt8] {
        var hash = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard EVP_Digest(message, message.count, &hash, &count, algorithm, nil) == 1 else {
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
