/// Escapes every scalar that is invisible or would control a terminal.
///
/// Escaped are the C0 and C1 controls including ESC and DEL, line and paragraph separators, all bidirectional controls, and
/// invisible format characters other than the joiners that scripts and emoji need. `ESC` becomes `\u{1B}`, a line break `\n`. The
/// result is for display only: backslashes are not escaped, so the original cannot be restored.
///
/// ```swift
/// printable("evil\u{1B}[2J")  // the ESC is now the six letters \u{1B}, and clears no screen
/// ```
///
/// - Parameter keepingLines: `true` if line feeds and tabs are kept, for text of several lines.
public func printable(_ subject: some CustomStringConvertible, keepingLines: Bool = false) -> String {
    let text = subject.description
    if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return text }
    var result = ""
    for scalar in text.unicodeScalars {
        if keepingLines && (scalar == "\n" || scalar == "\t") || !steersTerminal(scalar) {
            result.unicodeScalars.append(scalar)
        } else {
            result += visibleEscape(scalar)
        }
    }
    return result
}

/// Returns untrusted text in quotation marks for messages.
package func quoted(_ text: some StringProtocol) -> String {
    let punctuation = Punctuation.current
    return punctuation.openingQuote + printable(shortened(text)) + punctuation.closingQuote
}

/// Returns untrusted text for messages, shortened if it is so long that it would hide the message.
func shortened(_ text: some StringProtocol) -> String {
    let limit = 1_000
    // Counting bytes is fast and sufficient in nearly all cases.
    guard text.utf8.count > limit, text.unicodeScalars.count > limit else { return String(text) }
    let beginning = String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit)))
    return localized("\(beginning)... (\(text.unicodeScalars.count) characters)")
}

func steersTerminal(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00...0x1F, 0x7F...0x9F: true  // C0, DEL, C1
    case 0x061C, 0x200E...0x200F, 0x202A...0x202E, 0x2066...0x2069: true  // bidirectional controls
    case 0x2028...0x2029: true  // line and paragraph separator
    case 0x00AD, 0x180E, 0x200B, 0x2060...0x2065, 0x206A...0x206F, 0xFEFF, 0xFFF9...0xFFFB: true  // invisible
    case 0xE0000...0xE00FF: true  // tags
    default: false
    }
}

private func visibleEscape(_ scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\n": "\\n"
    case "\r": "\\r"
    case "\t": "\\t"
    default: "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
}

/// Returns a text with `***` in place of each password in an address, as in `https://user:***@example.org`.
///
/// Errors and notes quote what a user has typed and what other programs say, and logs keep them.
public func redacted(_ text: String) -> String {
    guard text.contains("://"), text.contains("@") else { return text }
    return text.replacing(/(:\/\/[^\/?#\s"@:]*):[^\/?#\s"]*@/) { "\($0.1):***@" }
}
