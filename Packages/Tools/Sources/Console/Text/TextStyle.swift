/// A style of text on a terminal, applied by a terminal that allows styles.
public struct TextStyle: OptionSet, Sendable {
    /// The bits of the styles, in the order of their codes.
    public let rawValue: UInt16

    /// Creates a set of styles from bits; unknown bits have no effect.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Headings and labels.
    public static let bold = Self(rawValue: 1 << 0)
    /// Text of lower importance.
    public static let dim = Self(rawValue: 1 << 1)
    /// Links and input fields.
    public static let underline = Self(rawValue: 1 << 2)
    /// Errors.
    public static let red = Self(rawValue: 1 << 3)
    /// Success.
    public static let green = Self(rawValue: 1 << 4)
    /// Warnings.
    public static let yellow = Self(rawValue: 1 << 5)
    /// Neutral emphasis.
    public static let cyan = Self(rawValue: 1 << 6)

    /// The parameters of the ECMA-48 sequence SGR by bit.
    private static let codes = ["1", "2", "4", "31", "32", "33", "36"]

    /// Returns the text between the sequences that switch the style on and off; plain text if there is no style.
    func applied(to text: String, in color: TextColor? = nil) -> String {
        let own = Self.codes.indices.filter { rawValue & (1 << UInt16($0)) != 0 }.map { Self.codes[$0] }
        let parameters = own + (color.map { [$0.parameters] } ?? [])
        if parameters.isEmpty || text.isEmpty { return text }
        return "\u{1B}[\(parameters.joined(separator: ";"))m\(text)\u{1B}[0m"
    }
}

/// A color of a terminal, either one of the 16 standard colors or one of the 256 indexed colors.
///
/// ```swift
/// Terminal(.output).styled("Shop", .bold, in: TextColor(named: "bright cyan"))
/// ```
public struct TextColor: Hashable, Sendable {
    /// The parameters of the sequence that selects the color.
    ///
    /// They are those of SGR (ECMA-48, 8.3.117), or of xterm for the 256 colors.
    let parameters: String
    /// The number among the 256 indexed colors, of which the first 16 are the standard ones.
    public let number: UInt8

    /// The names in the order of their numbers; each can be preceded by `bright`.
    private static let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
    private static let bright = "bright "

    /// Creates a color from a name such as `cyan` or `bright cyan`; returns `nil` for an unknown name.
    public init?(named name: String) {
        let isBright = name.hasPrefix(Self.bright)
        let plain = isBright ? String(name.dropFirst(Self.bright.count)) : name
        guard let number = Self.names.firstIndex(of: plain) else { return nil }
        parameters = "\(number + (isBright ? 90 : 30))"
        self.number = UInt8(number + (isBright ? 8 : 0))
    }

    /// Creates one of the 256 indexed colors.
    public init(number: UInt8) {
        parameters = "38;5;\(number)"
        self.number = number
    }
}

/// The edge that text in a column is aligned to.
public enum TextAlignment: Sendable {
    /// The left edge, for text.
    case leading
    /// The right edge, for numbers.
    case trailing
}

/// Returns a number of spaces.
func spaces(_ count: Int) -> String { String(repeating: " ", count: count) }

/// Pads text with spaces to a width in columns; longer text is unchanged.
func padded(_ text: String, to width: Int, _ alignment: TextAlignment = .leading) -> String {
    let spaces = spaces(max(0, width - displayWidth(of: text)))
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
    text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { paragraph in
        paragraph.hasPrefix(" ") ? [String(paragraph)] : WrappedText(String(paragraph)).lines(width: width)
    }
}
