internal import CCrypto
import PluginCore

/// An incremental digest, for the hash functions of libcrypto that require its providers.
final class MessageDigest {
    private let context: OpaquePointer?
    private var isWhole: Bool

    init(_ algorithm: OpaquePointer?) {
        context = EVP_MD_CTX_new()
        isWhole = context != nil && EVP_DigestInit_ex(context, algorithm, nil) == 1
    }

    deinit { EVP_MD_CTX_free(context) }

    func update(_ bytes: UnsafeRawBufferPointer) {
        guard isWhole, let start = bytes.baseAddress else { return }
        isWhole = EVP_DigestUpdate(context, start, bytes.count) == 1
    }

    /// Returns the digest. Only the first call succeeds.
    func finish() throws(SigningError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
        var count: UInt32 = 0
        guard isWhole, EVP_DigestFinal_ex(context, &digest, &count) == 1 else {
            throw .crypto(ErrorReason("libcryptoHash"))
        }
        isWhole = false
        return Array(digest.prefix(Int(count)))
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
