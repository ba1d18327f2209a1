/// A paragraph that is wrapped at a terminal's width, with a style for each of its parts.
///
/// Lines are wrapped at spaces and between East Asian wide characters. A longer word, such as an address, is not split, so that it
/// can be copied.
///
/// ```swift
/// var text = WrappedText("error:", style: { terminal.styled($0, .bold) })
/// text.append(" " + message)
/// text.lines(width: terminal.wrappingWidth, hanging: 2)
/// ```
public struct WrappedText {
    /// A function that applies a style to printable text.
    public typealias Style = (String) -> String

    private var text = ""
    private var parts: [(end: String.Index, style: Style)] = []

    /// Creates a paragraph from a text.
    ///
    /// - Parameter text: passes ``printable(_:keepingLines:)``, like all appended text.
    public init(_ text: String = "", style: @escaping Style = { $0 }) {
        append(text, style: style)
    }

    /// Appends a text without adding a space.
    public mutating func append(_ more: String, style: @escaping Style = { $0 }) {
        text += printable(more)
        parts.append((text.endIndex, style))
    }

    /// Returns the lines without line feeds.
    ///
    /// - Parameters:
    ///   - width: the width in columns; `nil` for one line of any length.
    ///   - hanging: the indentation of all lines but the first; 0 on a very narrow terminal.
    public func lines(width: Int?, hanging: Int = 0) -> [String] {
        guard let width else { return [styled(text.startIndex..<text.endIndex)] }
        let hanging = width - hanging < Self.narrowest ? 0 : hanging
        let margin = spaces(hanging)
        return ranges(width: width, hanging: hanging).enumerated().map {
            $0.offset == 0 ? styled($0.element) : margin + styled($0.element)
        }
    }

    /// Returns the lines of the paragraph, each with a line feed.
    public func text(width: Int?, hanging: Int = 0) -> String {
        lines(width: width, hanging: hanging).map { $0 + "\n" }.joined()
    }

    private static let narrowest = 10

    private func styled(_ range: Range<String.Index>) -> String {
        var (result, start) = ("", text.startIndex)
        for (end, style) in parts {
            let part = max(start, range.lowerBound)..<max(start, range.lowerBound, min(end, range.upperBound))
            if !part.isEmpty { result += style(String(text[part])) }
            start = end
        }
        return result
    }

    private func ranges(width: Int, hanging: Int) -> [Range<String.Index>] {
        var lines: [Range<String.Index>] = []
        var (line, used) = (text.startIndex..<text.startIndex, 0)
        for word in words {
            let gap = displayWidth(of: text[line.upperBound..<word.lowerBound])
            let columns = displayWidth(of: text[word])
            let limit = lines.isEmpty ? width : width - hanging
            if !line.isEmpty, used + gap + columns > limit {
                lines.append(line)
                (line, used) = (word, columns)
            } else {
                (line, used) = (line.lowerBound..<word.upperBound, used + gap + columns)
            }
        }
        return lines + [line]
    }

    /// The parts that are not split, which lie between spaces or between wide characters.
    private var words: [Range<String.Index>] {
        var (words, start): ([Range<String.Index>], String.Index?) = ([], nil)
        var last: Character?
        for index in text.indices {
            let character = text[index]
            if character == " " {
                if let first = start { words.append(first..<index) }
                start = nil
            } else if let first = start, let last, LineBreaking.isAllowed(between: last, and: character) {
                words.append(first..<index)
                start = index
            } else if start == nil {
                start = index
            }
            last = character
        }
        if let start { words.append(start..<text.endIndex) }
        return words
    }
}

/// The rule for lines of scripts that have no spaces between words, in a simplification of Unicode Standard Annex #14.
enum LineBreaking {
    /// Punctuation that stays at the end of a line.
    private static let closing = "，。、！？：；）」』】》〉…ー々”’,.!?:;)]}\"'"
    /// Punctuation that goes to the next line with the text after it.
    private static let opening = "（「『【《〈“‘([{\"'"

    /// Returns whether a line may be wrapped between two characters.
    ///
    /// Wrapping is allowed between wide characters, but not before closing or after opening punctuation.
    static func isAllowed(between one: Character, and other: Character) -> Bool {
        guard displayWidth(of: one) == 2 || displayWidth(of: other) == 2 else { return false }
        return !closing.contains(other) && !opening.contains(one)
    }
}

/// Returns the number of terminal columns that a text takes.
///
/// East Asian wide characters and emoji take two columns, and combining marks take none. Control characters count as none, so pass
/// text through ``printable(_:keepingLines:)`` first.
public func displayWidth(of text: some StringProtocol) -> Int {
    if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return text.utf8.count }
    return text.reduce(0) { $0 + displayWidth(of: $1) }
}

/// Returns the number of columns of one user-perceived character.
func displayWidth(of character: Character) -> Int {
    let scalars = character.unicodeScalars
    guard let first = scalars.first else { return 0 }
    // Flags, families and similar emoji consist of several scalars in two columns; U+FE0F requests the emoji form.
    let isEmoji = first.properties.isEmojiPresentation || scalars.contains("\u{FE0F}") && first.properties.isEmoji
    if isEmoji && scalars.count > 1 { return 2 }
    return scalars.reduce(0) { $0 + displayWidth(of: $1) }
}

private func displayWidth(of scalar: Unicode.Scalar) -> Int {
    switch scalar.value {
    case 0x20...0x7E: return 1
    case 0x1160...0x11FF: return 0  // Hangul vowels and finals, which join the syllable before them
    case 0x00AD: return 1
    default: break
    }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format, .control, .lineSeparator, .paragraphSeparator: return 0
    default: return isWide(scalar) ? 2 : 1
    }
}

/// Returns whether a scalar has the East Asian Width W or F, as defined in Unicode Standard Annex #11.
///
/// Unassigned gaps between wide blocks count as wide.
private func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case ..<0x1100: false
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x4DBF, 0x4E00...0xA4C6,
        0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x16FE0...0x1B2FB, 0x1F200...0x1F265, 0x20000...0x3FFFD:
        true
    // Outside these blocks, only characters with emoji presentation are wide.
    default: scalar.properties.isEmojiPresentation && !(0x1F1E6...0x1F1FF ~= scalar.value)
    }
}
