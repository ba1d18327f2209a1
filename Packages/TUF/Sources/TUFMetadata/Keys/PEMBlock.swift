internal import CLibCrypto

/// The only block of a PEM text. Other text may precede it, because tools write comments there. A second block is an error.
struct PEMBlock {
    /// The label after BEGIN.
    let label: String
    private let content: [UInt8]

    init?(_ text: String) {
        let text = Array(text.utf8)
        defer { ERR_clear_error() }
        guard let input = BIO_new_mem_buf(text, Int32(clamping: text.count)) else { return nil }
        defer { BIO_free(input) }
        guard let (label, content) = Self.next(in: input), Self.next(in: input) == nil else { return nil }
        self.label = label
        self.content = content
    }

    private static func next(in input: OpaquePointer) -> (String, [UInt8])? {
        var label: UnsafeMutablePointer<CChar>?
        var header: UnsafeMutablePointer<CChar>?
        var content: UnsafeMutablePointer<UInt8>?
        var count = 0
        guard PEM_read_bio(input, &label, &header, &content, &count) == 1 else { return nil }
        defer {
            CRYPTO_free(label, #file, #line)
            CRYPTO_free(header, #file, #line)
            CRYPTO_clear_free(content, count, #file, #line)
        }
        // A header asks for a password, which is only right for keys older than PKCS #8.
        guard let label, let content, header.map({ $0.pointee == 0 }) ?? true else { return nil }
        return (String(cString: label), Array(UnsafeBufferPointer(start: content, count: count)))
    }

    /// Decodes the content as DER. Trailing bytes are an error. The caller must free the value.
    func decode(_ body: (UnsafeMutablePointer<UnsafePointer<UInt8>?>, Int) -> OpaquePointer?) -> OpaquePointer? {
        content.withUnsafeBufferPointer { bytes in
            defer { ERR_clear_error() }
            var place = bytes.baseAddress
            guard let value = body(&place, bytes.count) else { return nil }
            return place == bytes.baseAddress.map { $0 + bytes.count } ? value : nil
        }
    }
}
