import CCrypto
import PluginCore

/// The limit of the work for deriving a key from a password, which is checked before that work begins.
///
/// libcrypto does not limit this work. See RFC 8018, RFC 7914 and RFC 7292.
enum PasswordCost {
    /// The memory of the most costly keys of minisign, in bytes.
    private static let mostMemory: UInt64 = 1 << 30
    /// The maximum product of the numbers in an algorithm's parameters: iterations, or N, r and p, and the length of the key.
    private static let mostWork: UInt64 = 1 << 29
    private static let excess = SigningError(.malformed, reason: "passwordWorkTooLarge")

    /// Checks the work for opening an encrypted key.
    ///
    /// - Parameter sealed: The `X509_SIG` of the PEM block.
    /// - Throws: ``SigningError`` with code `malformed` for more work than any regular key needs.
    static func validate(_ sealed: OpaquePointer) throws(SigningError) {
        var algorithm: UnsafePointer<X509_ALGOR>?
        X509_SIG_get0(sealed, &algorithm, nil)
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509_ALGOR(algorithm, &bytes)
        defer { CRYPTO_free(bytes, #file, #line) }
        let work = product(in: UnsafePointer(bytes), count: Int(count))
        ERR_clear_error()
        guard let work, work <= mostWork else { throw excess }
    }

    /// Returns the product of all integers in DER, or nil if it is too large or cannot be determined.
    private static func product(in bytes: UnsafePointer<UInt8>?, count: Int) -> UInt64? {
        guard var place = bytes else { return nil }
        let end = place + count
        var product: UInt64 = 1
        while place < end {
            var (next, length): (UnsafePointer<UInt8>?, Int) = (place, 0)
            var (tag, kind): (Int32, Int32) = (0, 0)
            let flags = ASN1_get_object(&next, &length, &tag, &kind, end - place)
            guard flags & 0x80 == 0, let content = next else { return nil }
            var factor: UInt64? = 1
            if flags & V_ASN1_CONSTRUCTED != 0 {
                factor = self.product(in: content, count: length)
            } else if tag == V_ASN1_INTEGER {
                factor = UnsafeBufferPointer(start: content, count: length).reduce(0) { number, byte in
                    number.flatMap { $0 <= mostWork ? $0 << 8 | UInt64(byte) : nil }
                }
            }
            let (result, overflows) = product.multipliedReportingOverflow(by: factor ?? .max)
            guard !overflows else { return nil }
            product = result
            place = content + length
        }
        return product
    }

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
        else { throw .crypto(ErrorReason("libcryptoPassword")) }
        return stream
    }
}
