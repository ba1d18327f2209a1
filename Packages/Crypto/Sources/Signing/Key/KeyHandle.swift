internal import CCrypto
import PluginCore

/// An Ed25519 key of libcrypto, which is wiped when it is released. All signatures are made and verified here.
///
/// See RFC 8032.
// because: nothing changes the key after init; libcrypto itself counts its users atomically.
final class KeyHandle: @unchecked Sendable {
    private let key: OpaquePointer

    /// Takes ownership of a key.
    init(owning key: OpaquePointer) {
        self.key = key
    }

    deinit { EVP_PKEY_free(key) }

    static func generate() throws(SigningError) -> KeyHandle {
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var key: OpaquePointer?
        guard EVP_PKEY_keygen_init(context) == 1, EVP_PKEY_keygen(context, &key) == 1, let key else {
            throw .crypto(ErrorReason("libcryptoGenerate"))
        }
        return KeyHandle(owning: key)
    }

    /// Creates a secret key from its seed of 32 bytes.
    init(seed: some Collection<UInt8>) throws(SigningError) {
        var seed = Array(seed)
        defer { OPENSSL_cleanse(&seed, seed.count) }
        guard let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, seed, seed.count) else {
            throw .crypto(ErrorReason("libcryptoSecretKey"))
        }
        self.key = key
    }

    /// Creates a public key from its 32 bytes.
    init(publicKey: [UInt8]) throws(SigningError) {
        guard let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, publicKey, publicKey.count) else {
            throw .crypto(ErrorReason("libcryptoPublicKey"))
        }
        self.key = key
    }

    func publicKey() throws(SigningError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        var count = bytes.count
        guard EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == 32 else {
            throw .crypto(ErrorReason("libcryptoDerivation"))
        }
        return bytes
    }

    func signature(of message: [UInt8]) throws(SigningError) -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: 64)
        var count = signature.count
        guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1, count == 64
        else { throw .crypto(ErrorReason("libcryptoSign")) }
        return signature
    }

    func isSignature(_ signature: [UInt8], of message: [UInt8]) throws(SigningError) -> Bool {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        guard EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1 else {
            throw .crypto(ErrorReason("libcryptoVerify"))
        }
        let isValid = EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
        // The next user of libcrypto in this thread must not find errors of this key in the queue.
        ERR_clear_error()
        return isValid
    }

    /// Returns a PKCS#8 value of the key, which the caller must free.
    func pkcs8() -> OpaquePointer? { EVP_PKEY2PKCS8(key) }
}
