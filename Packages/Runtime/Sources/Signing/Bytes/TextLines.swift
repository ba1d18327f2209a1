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
