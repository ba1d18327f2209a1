internal import CCrypto

/// The only block of a PEM text. Other text may precede it, because tools write comments there. A second block is an error.
struct PEMBlock {
    /// The label after BEGIN.
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
        // Headers were used for encryption before PKCS#8.
        guard let name, let content, header.map({ $0.pointee == 0 }) ?? true else { return nil }
        return PEMBlock(
            name: String(cString: name), content: Array(UnsafeBufferPointer(start: content, count: count)))
    }

    /// Decodes the content as DER. Trailing bytes are an error.
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
