internal import CCrypto

/// Base64 coding by libcrypto.
///
/// See RFC 4648, section 4.
enum Base64 {
    static func text(of bytes: [UInt8]) -> String {
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        let count = EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
        return String(decoding: text.prefix(Int(count)), as: UTF8.self)
    }

    /// Decodes a text. Returns nil unless the text is exactly the canonical encoding of the given number of bytes.
    ///
    /// libcrypto skips whitespace and ignores unused bits, so the result is encoded again and compared.
    static func bytes(of line: some StringProtocol, count: Int) -> [UInt8]? {
        let text = Array(line.utf8)
        guard text.count == (count + 2) / 3 * 4 else { return nil }
        var bytes = [UInt8](repeating: 0, count: text.count / 4 * 3)
        guard EVP_DecodeBlock(&bytes, text, Int32(text.count)) == bytes.count else {
            ERR_clear_error()
            return nil
        }
        bytes.removeLast(bytes.count - count)
        return Self.text(of: bytes).utf8.elementsEqual(text) ? bytes : nil
    }
}
