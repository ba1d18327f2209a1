import CCrypto

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

/// A parser for small text files with a fixed number of lines.
enum TextLines {
    /// Splits a text into lines, without the newline characters.
    ///
    /// - Parameters:
    ///   - count: The required number of lines.
    ///   - limit: The maximum size of the text in bytes.
    ///   - isLastOpen: Whether the last line may end without a newline.
    /// - Returns: `nil` if there are more or fewer lines.
    static func lines(of text: String, count: Int, limit: Int, isLastOpen: Bool = false) -> [Substring]? {
        guard text.utf8.count <= limit else { return nil }
        // A Swift character may be "\r\n", so the text is split by bytes.
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
        if lines.last?.isEmpty == true {
            lines.removeLast()
        } else if !isLastOpen {
            return nil
        }
        return lines.count == count ? lines : nil
    }

    /// Returns whether a terminal would display a text as one line.
    ///
    /// Control characters are not allowed, except the tabulator, which `minisign` itself writes.
    static func isOneLine(_ text: some StringProtocol) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            switch scalar.properties.generalCategory {
            case .control: scalar == "\t"
            case .lineSeparator, .paragraphSeparator: false
            default: true
            }
        }
    }
}
