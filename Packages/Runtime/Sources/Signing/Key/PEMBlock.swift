internal import CCrypto

/// The one block of a PEM text. Text before it is allowed, as tools write comments there; a second block is not.
struct PEMBlock {
    /// What stands behind `BEGIN`.
    let name: String
    private var content: [UInt8]

    init?(_ text: String) {
        var text = Array(text.utf8)
        defer {
            OPENSSL_cleanse(&text, text.count)
            ERR_clear_error()
        }
        guard let input = BIO_new_mem_buf(text, Int32(text.count)) else { return nil }
        defer { BIO_free(input) }
        guard let first = Self.next(in: input), Self.next(in: input) == nil else { return nil }
        self = first
    }

    private init(name: String, content: [UInt8]) {
        self.name = name
        self.content = content
    }

    private static func next(in input: OpaquePointer) -> PEMBlock? {
        var name: UnsafeMutablePointer<CChar>?
        var header: UnsafeMutablePointer<CChar>?
        var content: UnsafeMutablePointer<UInt8>?
        var count = 0
        guard PEM_read_bio(input, &name, &header, &content, &count) == 1 else { return nil }
        defer {
            CRYPTO_free(name, #file, #line)
            CRYPTO_free(header, #file, #line)
            CRYPTO_clear_free(content, count, #file, #line)
        }
        // A header is how files were encrypted before PKCS#8.
        guard let name, let content, header.map({ $0.pointee == 0 }) ?? true else { return nil }
        return PEMBlock(
            name: String(cString: name), content: Array(UnsafeBufferPointer(start: content, count: count)))
    }

    /// Has the content read as DER. What is left over makes it unreadable.
    func read(
        _ reading: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?
    ) -> OpaquePointer? {
        content.withUnsafeBufferPointer { bytes in
            var place = bytes.baseAddress
            let value = reading(&place, bytes.count)
            guard let value, place == bytes.baseAddress.map({ $0 + bytes.count }) else {
                ERR_clear_error()
                return nil
            }
            return value
        }
    }
}
