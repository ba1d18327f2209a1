import CCrypto
import PluginCore

/// PKCS#8 keys in PEM, as OpenSSL writes them.
extension SigningKey {
    private static let limit = 1 << 16
    private static let plain = "PRIVATE KEY"
    private static let encrypted = "ENCRYPTED PRIVATE KEY"

    /// Parses a secret key, encrypted or not. The password is ignored for an unencrypted key.
    ///
    /// Other text may precede the only block, because tools write comments there. A PEM does not contain a key identifier, so the key gets the
    /// one that ``generate()`` would use.
    public init(pem: String, password: String?) throws(SigningError) {
        let blocks = pem.split(separator: "-----BEGIN ", omittingEmptySubsequences: false).dropFirst()
        guard pem.utf8.count <= Self.limit, blocks.count == 1, let block = blocks.first else {
            throw SigningError(.malformed, reason: "secretKeyForm")
        }
        var text = Array(pem.utf8)
        defer {
            OPENSSL_cleanse(&text, text.count)
            ERR_clear_error()
        }
        guard let input = BIO_new_mem_buf(text, Int32(text.count)) else { throw .crypto(ErrorReason("libcryptoWrite")) }
        defer { BIO_free(input) }
        // A block that is encrypted as before PKCS#8 is refused, because it would ask for a password on the terminal.
        let kind = block.prefix { $0 != "-" }
        guard kind == Self.plain || kind == Self.encrypted else {
            throw SigningError(
                .malformed, reason: "pemBlockKind", ["plain": .text(Self.plain), "encrypted": .text(Self.encrypted)])
        }
        let info =
            kind == Self.plain
            ? PEM_read_bio_PKCS8_PRIV_KEY_INFO(input, nil, { _, _, _, _ in -1 }, nil)
            : try Self.info(in: input, password: password)
        guard let info else { throw SigningError(.malformed, reason: "pemDamaged") }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        guard let key = EVP_PKCS82PKEY(info) else { throw SigningError(.malformed, reason: "pemKeyUnsupported") }
        let handle = KeyHandle(owning: key)
        guard EVP_PKEY_get_base_id(key) == EVP_PKEY_ED25519 else {
            throw SigningError(.keyUnfit, reason: "keyNotEd25519")
        }
        try self.init(handle)
    }

    /// Decrypts a block.
    private static func info(in input: OpaquePointer, password: String?) throws(SigningError) -> OpaquePointer {
        guard let sealed = PEM_read_bio_PKCS8(input, nil, { _, _, _, _ in -1 }, nil) else {
            throw SigningError(.malformed, reason: "pemDamaged")
        }
        defer { X509_SIG_free(sealed) }
        try PasswordCost.validate(sealed)
        guard let password else { throw SigningError(.passwordNeeded, reason: "keyEncrypted") }
        guard let info = PKCS8_decrypt(sealed, password, Int32(password.utf8.count)) else {
            throw SigningError(.passwordWrong, reason: "passwordOrKeyWrong")
        }
        return info
    }

    /// Returns the content of the key file. With a password, it is encrypted with PBES2, scrypt and AES-256-CBC.
    ///
    /// - Throws: ``SigningError`` with code `passwordUnfit` for an empty password.
    public func pem(password: String?) throws(SigningError) -> String {
        guard let output = BIO_new(BIO_s_mem()) else { throw .crypto(ErrorReason("libcryptoWrite")) }
        defer { BIO_free(output) }
        guard let info = handle.pkcs8() else { throw .crypto(ErrorReason("libcryptoWrite")) }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        if let password {
            let sealed = try Self.sealing(info, password)
            defer { X509_SIG_free(sealed) }
            guard PEM_write_bio_PKCS8(output, sealed) == 1 else { throw .crypto(ErrorReason("libcryptoWrite")) }
        } else {
            guard PEM_write_bio_PKCS8_PRIV_KEY_INFO(output, info) == 1 else {
                throw .crypto(ErrorReason("libcryptoWrite"))
            }
        }
        var text = [UInt8](repeating: 0, count: Self.limit)
        defer { OPENSSL_cleanse(&text, text.count) }
        let count = BIO_read(output, &text, Int32(text.count))
        guard count > 0 else { throw .crypto(ErrorReason("libcryptoWrite")) }
        return String(decoding: text.prefix(Int(count)), as: UTF8.self)
    }

    /// Encrypts a key. Each guess of the password costs 16 MiB and five passes, which is OWASP's minimum and libcrypto's maximum.
    private static func sealing(_ info: OpaquePointer, _ password: String) throws(SigningError) -> OpaquePointer {
        guard !password.isEmpty else { throw SigningError(.passwordUnfit, reason: "passwordEmpty") }
        guard let method = PKCS5_pbe2_set_scrypt(EVP_aes_256_cbc(), nil, 32, nil, 1 << 14, 8, 5) else {
            throw .crypto(ErrorReason("libcryptoEncrypt"))
        }
        guard let sealed = PKCS8_set0_pbe(password, Int32(password.utf8.count), info, method) else {
            X509_ALGOR_free(method)
            throw .crypto(ErrorReason("libcryptoEncrypt"))
        }
        return sealed
    }
}
