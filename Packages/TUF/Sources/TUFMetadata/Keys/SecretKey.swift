internal import CLibCrypto
internal import Hashing

/// A secret key, which signs metadata.
///
/// ```swift
/// let key = try SecretKey.generate(.ed25519)
/// try key.pem(password: password)  // for a file
/// let signed = try metadata.signed(by: [key])
/// ```
public struct SecretKey: Sendable {
    /// The scheme.
    public let scheme: SignatureScheme
    /// The public key.
    public let publicKey: PublicKey
    private let handle: KeyHandle

    private init(_ handle: KeyHandle) throws(TUFError) {
        guard let scheme = SignatureScheme.allCases.first(where: { $0.accepts(handle.key) }) else {
            throw TUFError(.keyUnfit, detail: "not one of \(SignatureScheme.allCases.map(\.rawValue))")
        }
        self.scheme = scheme
        self.handle = handle
        publicKey = try PublicKey(scheme, public: try handle.publicText(scheme))
    }

    /// Generates a key.
    public static func generate(_ scheme: SignatureScheme) throws(TUFError) -> SecretKey {
        let context = EVP_PKEY_CTX_new_id(scheme.kind, nil)
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_keygen_init(context) == 1 else { throw .crypto("generate") }
        let isConfigured =
            switch scheme {
            case .ed25519: true
            case .ecdsa: EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1
            case .rsa: EVP_PKEY_CTX_set_rsa_keygen_bits(context, 3072) == 1
            }
        var key: OpaquePointer?
        guard isConfigured, EVP_PKEY_keygen(context, &key) == 1, let key else { throw .crypto("generate") }
        return try SecretKey(KeyHandle(owning: key))
    }

    /// Reads a PKCS #8 key in PEM, encrypted or not. The password is ignored for one that is not.
    ///
    /// - Throws: ``TUFError`` with code `malformed`, `keyUnfit` or `passwordWrong`.
    public init(pem: String, password: String?) throws(TUFError) {
        guard pem.utf8.count <= 1 << 16, let block = PEMBlock(pem) else {
            throw TUFError(.malformed, detail: "not a single PEM block")
        }
        let info: OpaquePointer?
        switch block.label {
        case "PRIVATE KEY":
            info = block.decode { d2i_PKCS8_PRIV_KEY_INFO(nil, $0, $1) }
        case "ENCRYPTED PRIVATE KEY":
            guard let sealed = block.decode({ d2i_X509_SIG(nil, $0, $1) }) else {
                throw TUFError(.malformed, detail: "the encrypted key")
            }
            defer { X509_SIG_free(sealed) }
            guard let password else { throw TUFError(.passwordWrong, detail: "missing") }
            info = PKCS8_decrypt(sealed, password, Int32(clamping: password.utf8.count))
            ERR_clear_error()
            guard info != nil else { throw TUFError(.passwordWrong) }
        default:
            throw TUFError(.malformed, detail: "a PEM block of \(block.label.debugDescription)")
        }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        defer { ERR_clear_error() }
        guard let info, let key = EVP_PKCS82PKEY(info) else { throw TUFError(.malformed, detail: "the key") }
        try self.init(KeyHandle(owning: key))
    }

    /// Returns the content of a key file, encrypted with AES-256 and a key that scrypt derives from the password.
    ///
    /// - Throws: ``TUFError`` with code `passwordWrong` for an empty password.
    public func pem(password: String) throws(TUFError) -> String {
        guard !password.isEmpty else { throw TUFError(.passwordWrong, detail: "empty") }
        guard let info = EVP_PKEY2PKCS8(handle.key) else { throw .crypto("write key") }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        // Each guess of the password costs 16 MiB and five passes, which is OWASP's minimum and libcrypto's maximum.
        guard let method = PKCS5_pbe2_set_scrypt(EVP_aes_256_cbc(), nil, 32, nil, 1 << 14, 8, 5) else {
            throw .crypto("encrypt key")
        }
        guard let sealed = PKCS8_set0_pbe(password, Int32(clamping: password.utf8.count), info, method) else {
            X509_ALGOR_free(method)
            throw .crypto("encrypt key")
        }
        defer { X509_SIG_free(sealed) }
        return try PEMBlock.text { PEM_write_bio_PKCS8($0, sealed) }
    }

    /// Signs the canonical form of metadata.
    public func signature(of payload: [UInt8]) throws(TUFError) -> Signature {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        var options: OpaquePointer?
        var count = 0
        guard EVP_DigestSignInit(context, &options, scheme.hash, nil, handle.key) == 1, scheme.configure(options),
            EVP_DigestSign(context, nil, &count, payload, payload.count) == 1
        else { throw .crypto("sign") }
        var signature = [UInt8](repeating: 0, count: count)
        guard EVP_DigestSign(context, &signature, &count, payload, payload.count) == 1 else { throw .crypto("sign") }
        return Signature(keyID: publicKey.id, text: signature.prefix(count).hexadecimal)
    }
}

/// A key of libcrypto, which is wiped when it is released.
// because: nothing changes the key after init; libcrypto itself counts its users atomically.
final class KeyHandle: @unchecked Sendable {
    let key: OpaquePointer

    init(owning key: OpaquePointer) {
        self.key = key
    }

    deinit { EVP_PKEY_free(key) }

    /// Returns the public value as metadata contains it.
    func publicText(_ scheme: SignatureScheme) throws(TUFError) -> String {
        guard scheme == .ed25519 else { return try PEMBlock.text { PEM_write_bio_PUBKEY($0, key) } }
        var bytes = [UInt8](repeating: 0, count: 32)
        var count = bytes.count
        guard EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1, count == 32 else { throw .crypto("public key") }
        return bytes.hexadecimal
    }
}
