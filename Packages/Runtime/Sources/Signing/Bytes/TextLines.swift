/// The lines of a small text file that must have just so many of them.
enum TextLines {
    /// The lines before each `\n`.
    ///
    /// - Parameters:
    ///   - count: how many there must be.
    ///   - limit: how many bytes the whole may have.
    ///   - isLastOpen: whether the last line may end with the text.
    /// - Returns: `nil` when there are more, or fewer.
    static func lines(of text: String, count: Int, limit: Int, isLastOpen: Bool = false) -> [Substring]? {
        guard text.utf8.count <= limit else { return nil }
        // A Swift character may be "\r\n", so lines are cut by bytes.
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Substring.init)
        if lines.last?.isEmpty == true {
            lines.removeLast()
        } else if !isLastOpen {
            return nil
        }
        return lines.count == count ? lines : nil
    }

    /// Returns whether a text is one line that a terminal would show as one: no control characters but the tabulator, which
    /// `minisign` itself writes.
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
