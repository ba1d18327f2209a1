import CCrypto

/// The reason why a text is not a secret key in PEM, or cannot be opened.
package enum PEMProblem: Error {
    /// It is too long, or does not have exactly one block.
    case form
    /// The block has another label.
    case label(String)
    /// The content of the block is not a key.
    case damaged
    /// The key is of a kind that libcrypto does not know.
    case unsupported
    /// Deriving a key from the password requires more work than for any regular key.
    case costly
    case passwordMissing
    /// The password is wrong or the encrypted key is damaged, which cannot be distinguished.
    case passwordWrong
}

/// Public keys in PEM, and PKCS #8 keys as OpenSSL writes them.
extension CryptoKey {
    /// The longest text of a secret and of a public key in bytes.
    private static let (limit, publicLimit) = (1 << 16, 1 << 14)

    /// Returns whether a text is short enough and has exactly one block. Other text may precede it, because tools write comments there.
    private static func isPEM(_ text: String, atMost limit: Int = limit) -> Bool {
        text.utf8.count <= limit && text.split(separator: "-----BEGIN ", omittingEmptySubsequences: false).count == 2
    }

    /// Reads a public key, or returns nil for one that must not be used.
    package convenience init?(publicPEM text: String) {
        guard Self.isPEM(text, atMost: Self.publicLimit), let block = PEMBlock(text), block.label == "PUBLIC KEY"
        else { return nil }
        self.init(owning: block.decode { d2i_PUBKEY(nil, $0, $1) })
        guard kind != nil else { return nil }
        // Checks the numbers of a key, such as that the point of an elliptic curve is on it.
        let context = EVP_PKEY_CTX_new(key, nil)
        defer { EVP_PKEY_CTX_free(context) }
        guard EVP_PKEY_public_check(context) == 1 else { return nil }
    }

    /// The public key in PEM, or nil if libcrypto failed.
    package var publicPEM: String? { Self.text { PEM_write_bio_PUBKEY($0, key) } }

    /// Reads a secret key, encrypted or not. The password is ignored for one that is not.
    package static func secret(pem: String, password: String?) throws(PEMProblem) -> CryptoKey {
        defer { ERR_clear_error() }
        guard isPEM(pem) else { throw .form }
        guard let block = PEMBlock(pem) else { throw .damaged }
        let info: OpaquePointer?
        switch block.label {
        case "PRIVATE KEY":
            info = block.decode { d2i_PKCS8_PRIV_KEY_INFO(nil, $0, $1) }
        case "ENCRYPTED PRIVATE KEY":
            guard let sealed = block.decode({ d2i_X509_SIG(nil, $0, $1) }) else { throw .damaged }
            defer { X509_SIG_free(sealed) }
            guard PasswordCost.isBounded(sealed) else { throw .costly }
            guard let password else { throw .passwordMissing }
            info = PKCS8_decrypt(sealed, password, Int32(clamping: password.utf8.count))
            guard info != nil else { throw .passwordWrong }
        default: throw .label(block.label)
        }
        guard let info else { throw .damaged }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        guard let key = CryptoKey(owning: EVP_PKCS82PKEY(info)) else { throw .unsupported }
        return key
    }

    /// Returns the content of a file with the secret key, or nil if libcrypto failed.
    ///
    /// - Parameter password: The password for encrypting it with PBES2, scrypt and AES-256-CBC; nil for a key that is not encrypted.
    package func secretPEM(password: String?) -> String? {
        guard let info = EVP_PKEY2PKCS8(key) else { return nil }
        defer { PKCS8_PRIV_KEY_INFO_free(info) }
        guard let password else { return Self.text { PEM_write_bio_PKCS8_PRIV_KEY_INFO($0, info) } }
        // Each guess of the password costs 16 MiB and five passes, which is OWASP's minimum and libcrypto's maximum.
        guard let method = PKCS5_pbe2_set_scrypt(EVP_aes_256_cbc(), nil, 32, nil, 1 << 14, 8, 5) else { return nil }
        guard let sealed = PKCS8_set0_pbe(password, Int32(clamping: password.utf8.count), info, method) else {
            X509_ALGOR_free(method)
            return nil
        }
        defer { X509_SIG_free(sealed) }
        return Self.text { PEM_write_bio_PKCS8($0, sealed) }
    }

    /// Returns the text that a function of libcrypto writes.
    private static func text(_ write: (OpaquePointer) -> CInt) -> String? {
        guard let output = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(output) }
        guard write(output) == 1 else { return nil }
        var text = [UInt8](repeating: 0, count: limit)
        defer { OPENSSL_cleanse(&text, text.count) }
        let count = BIO_read(output, &text, Int32(text.count))
        return count > 0 ? String(decoding: text.prefix(Int(count)), as: UTF8.self) : nil
    }
}

/// The first block of a PEM text, which is wiped when it is released.
private final class PEMBlock {
    /// The label after BEGIN.
    let label: String
    private let content: UnsafeMutablePointer<UInt8>
    private let count: Int

    init?(_ text: String) {
        var text = Array(text.utf8)
        defer {
            OPENSSL_cleanse(&text, text.count)
            ERR_clear_error()
        }
        guard let input = BIO_new_mem_buf(text, Int32(clamping: text.count)) else { return nil }
        defer { BIO_free(input) }
        var (label, header): (UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<CChar>?)
        var content: UnsafeMutablePointer<UInt8>?
        var count = 0
        guard PEM_read_bio(input, &label, &header, &content, &count) == 1, let label, let content else { return nil }
        defer {
            CRYPTO_free(label, #file, #line)
            CRYPTO_free(header, #file, #line)
        }
        // A header asks for a password, which is only right for keys older than PKCS #8.
        guard header.map({ $0.pointee == 0 }) ?? true else {
            CRYPTO_clear_free(content, count, #file, #line)
            return nil
        }
        self.label = String(cString: label)
        (self.content, self.count) = (content, count)
    }

    deinit { CRYPTO_clear_free(content, count, #file, #line) }

    /// Decodes the content as DER. Trailing bytes are an error. The caller must free the value.
    func decode(_ body: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?) -> OpaquePointer? {
        defer { ERR_clear_error() }
        var place: UnsafePointer<UInt8>? = UnsafePointer(content)
        guard let value = body(&place, count) else { return nil }
        return place == UnsafePointer(content) + count ? value : nil
    }
}
