import CCrypto
import LibCrypto

/// A secret Ed25519 key.
///
/// ```swift
/// let key = try SigningKey.generate()
/// let signature = try key.sign(message, trustedComment: "release 2.1.0")
/// try signature.verify(message, by: key.publicKey)
/// ```
public struct SigningKey: Sendable {
    let key: CryptoKey
    /// The public key.
    public let publicKey: VerifyingKey

    /// - Parameter id: The existing identifier of the key, or `nil` to use the start of its public key's SHA-256 digest.
    init(_ key: CryptoKey, id: KeyID? = nil) throws(SigningError) {
        guard let point = key.point else { throw .crypto("libcryptoDerivation") }
        self.key = key
        let derived = KeyID(try Hash.sha256(point).prefix(8))
        publicKey = try VerifyingKey(id: id ?? derived, point: point)
    }

    /// Generates a new key.
    ///
    /// - Throws: ``SigningError`` with code `cryptoFailed` if the system provides no randomness.
    public static func generate() throws(SigningError) -> SigningKey {
        guard let key = CryptoKey(generating: .ed25519) else { throw .crypto("libcryptoGenerate") }
        return try SigningKey(key)
    }

    /// Parses a secret key file in PEM or in minisign's format.
    ///
    /// - Throws: ``SigningError`` with code `passwordNeeded`, `passwordWrong`, `malformed` or `keyUnfit`.
    public init(text: String, password: String?) throws(SigningError) {
        if text.hasPrefix(VerifyingKey.comment) {
            try self.init(minisign: text, password: password)
        } else {
            try self.init(pem: text, password: password)
        }
    }
}

/// Secret key files of minisign.
extension SigningKey {
    /// Parses a secret key file of minisign, encrypted or not.
    ///
    /// Opening an encrypted file takes a second and 1 GiB of memory, as in minisign. libcrypto does not provide the algorithm of the
    /// checksum in the file, so the public key next to the seed is derived again and compared instead.
    public init(minisign text: String, password: String?) throws(SigningError) {
        guard let lines = TextLines.lines(of: text, count: 2, limit: 4096, isLastOpen: true),
            lines[0].hasPrefix(VerifyingKey.comment), TextLines.isOneLine(lines[0]),
            var file = Base64.bytes(of: lines[1], count: 158)
        else { throw SigningError(.malformed, reason: "minisignKeyForm") }
        defer { OPENSSL_cleanse(&file, file.count) }
        guard file.starts(with: VerifyingKey.algorithm), file[4..<6].elementsEqual("B2".utf8) else {
            throw SigningError(.malformed, reason: "minisignKeyStart")
        }
        // The key identifier, the seed, the public key, and the checksum.
        var secret = Array(file[54...])
        defer { OPENSSL_cleanse(&secret, secret.count) }
        let isEncrypted = file[2..<4].elementsEqual("Sc".utf8)
        guard isEncrypted || file[2..<4].elementsEqual([0, 0]) else {
            throw SigningError(.malformed, reason: "minisignKeyEncryption")
        }
        if isEncrypted {
            guard let password else { throw SigningError(.passwordNeeded, reason: "keyEncrypted") }
            var stream = try PasswordCost.stream(
                password: password, salt: Array(file[6..<38]), limits: file[38..<54], count: secret.count)
            defer { OPENSSL_cleanse(&stream, stream.count) }
            for index in secret.indices { secret[index] ^= stream[index] }
        }
        guard let key = CryptoKey(seed: secret[8..<40]) else { throw .crypto("libcryptoSecretKey") }
        guard key.point?.elementsEqual(secret[40..<72]) == true else {
            throw isEncrypted
                ? SigningError(.passwordWrong, reason: "passwordOrKeyWrong")
                : SigningError(.malformed, reason: "minisignKeyDamaged")
        }
        try self.init(key, id: KeyID(secret[..<8]))
    }
}
