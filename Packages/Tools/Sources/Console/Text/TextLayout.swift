/// The edge that text in a column is aligned to.
public enum TextAlignment: Sendable {
    /// The left edge, for text.
    case leading
    /// The right edge, for numbers.
    case trailing
}

/// Pads text with spaces to a width in columns; longer text is unchanged.
func padded(_ text: String, to width: Int, _ alignment: TextAlignment = .leading) -> String {
    let spaces = String(repeating: " ", count: max(0, width - displayWidth(of: text)))
    return alignment == .leading ? text + spaces : spaces + text
}

/// Truncates text to a width in columns, with `...` in place of the rest if there is room.
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

/// Wraps text at spaces and between wide characters into lines of limited width.
///
/// A longer word gets its own line, a line that starts with a space is not wrapped, and line feeds in the text are kept.
func wrapped(_ text: String, to width: Int) -> [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph -> [String] in
        guard !paragraph.isEmpty, !paragraph.hasPrefix(" ") else { return [String(paragraph)] }
        var lines: [String] = []
        var line = ""
        for word in paragraph.split(separator: " ") {
            for part in LineBreaking.parts(of: word) {
                let gap = line.isEmpty || part.startIndex > word.startIndex ? "" : " "
                if !line.isEmpty, displayWidth(of: line) + gap.count + displayWidth(of: part) > width {
                    lines.append(line)
                    line = String(part)
                } else {
                    line += gap + part
                }
            }
        }
        return lines + [line]
    }
}
