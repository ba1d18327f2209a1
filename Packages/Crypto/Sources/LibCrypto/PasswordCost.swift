import CCrypto

/// The limit of the work for deriving a key from a password, which is checked before that work begins.
///
/// libcrypto does not limit this work. See RFC 8018, RFC 7914 and RFC 7292.
enum PasswordCost {
    /// The maximum product of the numbers in an algorithm's parameters: iterations, or N, r and p, and the length of the key.
    private static let mostWork: UInt64 = 1 << 29

    /// Returns whether opening an encrypted key needs no more work than for any regular key.
    ///
    /// - Parameter sealed: The `X509_SIG` of the PEM block.
    static func isBounded(_ sealed: OpaquePointer) -> Bool {
        var algorithm: UnsafePointer<X509_ALGOR>?
        X509_SIG_get0(sealed, &algorithm, nil)
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509_ALGOR(algorithm, &bytes)
        defer { CRYPTO_free(bytes, #file, #line) }
        let work = product(in: UnsafePointer(bytes), count: Int(count))
        ERR_clear_error()
        return work.map { $0 <= mostWork } ?? false
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
}
