/// Which edge of a column the text keeps to.
public enum TextAlignment: Sendable {
    /// Text: the left edge.
    case leading
    /// Numbers: the right edge.
    case trailing
}

/// Filled up with spaces to `width` columns; longer text stays as it is.
func padded(_ text: String, to width: Int, _ alignment: TextAlignment = .leading) -> String {
    let spaces = String(repeating: " ", count: max(0, width - displayWidth(of: text)))
    return alignment == .leading ? text + spaces : spaces + text
}

/// Cut to `width` columns, with `...` in place of what was cut when there is room for it.
func truncated(_ text: String, to width: Int) -> String {
    guard displayWidth(of: text) > width else { return text }
    let ellipsis = width >= 4 ? "..." : ""
    var result = ""
    var used = ellipsis.count
    for character in text {
        used += displayWidth(of: character)
        if used > width { break }
        result.append(character)
    }
    return result + ellipsis
}

/// Broken at spaces into lines of at most `width` columns. A longer word gets a line of its own; a line that starts with
/// a space is kept whole; line feeds in the text stay.
func wrapped(_ text: String, to width: Int) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph -> [String] in
        guard !paragraph.isEmpty, !paragraph.hasPrefix(" ") else { return [String(paragraph)] }
        var lines: [String] = []
        var line = ""
        for word in paragraph.split(separator: " ") {
            if !line.isEmpty, displayWidth(of: line) + 1 + displayWidth(of: word) > width {
                lines.append(line)
                line = ""
            }
            line += line.isEmpty ? String(word) : " \(word)"
        }
        return lines + [line]
    }
}
