import CCrypto

/// The derivation of keys from passwords in minisign's files, whose work is limited before it begins.
///
/// See RFC 7914.
enum PasswordCost {
    /// The memory of the most costly keys of minisign, in bytes.
    private static let mostMemory: UInt64 = 1 << 30
    static let excess = SigningError(.malformed, reason: "passwordWorkTooLarge")

    /// Derives a key from a password as minisign does, with scrypt.
    ///
    /// - Parameter limits: The limits for operations and memory in a minisign file, eight bytes each in little-endian order. All programs that
    ///   write such files choose 32 bytes of memory for each operation.
    /// - Throws: ``SigningError`` with code `malformed` for other limits, or more than those of libsodium for sensitive data.
    static func stream(
        password: String, salt: [UInt8], limits: some Collection<UInt8>, count: Int
    ) throws(SigningError) -> [UInt8] {
        let numbers = [limits.prefix(8), limits.dropFirst(8)].map { bytes in
            bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        }
        let memory = numbers[1]
        guard numbers[0] == memory / 32, memory <= mostMemory else { throw excess }
        var stream = [UInt8](repeating: 0, count: count)
        // The table itself and its overhead.
        let most = mostMemory + (1 << 22)
        guard
            EVP_PBE_scrypt(
                password, password.utf8.count, salt, salt.count, memory / 1024, 8, 1, most, &stream, count) == 1
        else { throw .crypto("libcryptoPassword") }
        return stream
    }
}
