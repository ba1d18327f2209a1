internal import CLibCrypto

/// The part of a public key that verifies signatures.
///
/// Two keys that verify the same signatures are equal, however their texts are written.
struct VerificationKey: Hashable, Sendable {
    private let scheme: SignatureScheme
    /// The point of an Ed25519 key, or the DER form of another key as libcrypto writes it.
    private let bytes: [UInt8]

    private static let limit = 1 << 14

    /// Parses the public value of a key in metadata, or returns nil for a key that must not be used.
    init?(_ scheme: SignatureScheme, _ text: String) {
        self.scheme = scheme
        if scheme == .ed25519 {
            guard let point = Hexadecimal.bytes(of: text), Ed25519Point.isSecure(point) else { return nil }
            bytes = point
            guard let key = handle() else { return nil }
            EVP_PKEY_free(key)
        } else {
            guard text.utf8.count <= Self.limit, let block = PEMBlock(text), block.label == "PUBLIC KEY" else {
                return nil
            }
            guard let key = block.decode({ d2i_PUBKEY(nil, $0, $1) }) else { return nil }
            defer { EVP_PKEY_free(key) }
            guard scheme.accepts(key), Self.isSound(key), let der = Self.der(of: key) else { return nil }
            bytes = der
        }
    }

    /// Checks the numbers of a key, such as that the point of an elliptic curve is on it.
    private static func isSound(_ key: OpaquePointer) -> Bool {
        let context = EVP_PKEY_CTX_new(key, nil)
        defer {
            EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        return EVP_PKEY_public_check(context) == 1
    }

    private static func der(of key: OpaquePointer) -> [UInt8]? {
        var start: UnsafeMutablePointer<UInt8>?
        let count = i2d_PUBKEY(key, &start)
        defer { CRYPTO_free(start, #file, #line) }
        guard count > 0, let start else { return nil }
        return Array(UnsafeBufferPointer(start: start, count: Int(count)))
    }

    /// Returns a key of libcrypto, which the caller must free.
    private func handle() -> OpaquePointer? {
        defer { ERR_clear_error() }
        if scheme == .ed25519 {
            return EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count)
        }
        return bytes.withUnsafeBufferPointer { buffer in
            var place = buffer.baseAddress
            return d2i_PUBKEY(nil, &place, buffer.count)
        }
    }

    /// Returns whether a signature is one of this key for a message.
    func isSignature(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let key = handle(), let context = EVP_MD_CTX_new() else { return false }
        defer {
            EVP_MD_CTX_free(context)
            EVP_PKEY_free(key)
            // The next user of libcrypto in this thread must not find errors of this key in the queue.
            ERR_clear_error()
        }
        var options: OpaquePointer?
        guard EVP_DigestVerifyInit(context, &options, scheme.hash, nil, key) == 1 else { return false }
        if scheme == .rsa {
            guard EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING) == 1,
                EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST) == 1
            else { return false }
        }
        return EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
