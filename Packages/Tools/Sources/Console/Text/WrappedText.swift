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
        let margin = String(repeating: " ", count: hanging)
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
