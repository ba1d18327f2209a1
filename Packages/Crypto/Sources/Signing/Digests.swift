import LibCrypto
import PluginCore

/// The hashes of keys and messages. minisign signs BLAKE2b-512 in place of a message.
enum Hash {
    static func sha256(_ message: [UInt8]) throws(SigningError) -> [UInt8] { try of(message, .sha256) }

    static func blake2b(_ message: [UInt8]) throws(SigningError) -> [UInt8] { try of(message, .blake2b) }

    private static func of(_ message: [UInt8], _ function: HashFunction) throws(SigningError) -> [UInt8] {
        if let digest = ContentHash.digest(of: message, function) { return digest }
        throw .crypto("libcryptoHash")
    }
}

extension SigningError {
    /// Returns the error of an operation that failed, with the latest error of libcrypto as its cause.
    static func crypto(_ name: String) -> SigningError {
        let failure = ErrorReason(name)
        guard let cause = CryptoFailure.cause() else { return SigningError(.cryptoFailed, reason: failure) }
        return SigningError(
            .cryptoFailed, reason: "because", ["reason": .reason(failure), "problem": .reason(.verbatim(cause))])
    }
}
