internal import CCrypto
import PluginCore

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
            var stream = try ScryptCost(file[38..<54]).stream(
                password: password, salt: Array(file[6..<38]), count: secret.count)
            defer { OPENSSL_cleanse(&stream, stream.count) }
            for index in secret.indices { secret[index] ^= stream[index] }
        }
        let handle = try KeyHandle(seed: secret[8..<40])
        guard try handle.publicKey().elementsEqual(secret[40..<72]) else {
            throw isEncrypted
                ? SigningError(.passwordWrong, reason: "passwordOrKeyWrong")
                : SigningError(.malformed, reason: "minisignKeyDamaged")
        }
        try self.init(handle, id: KeyID(secret[..<8]))
    }
}
