/// How text is set off on a terminal; ``Terminal/styled(_:_:)`` applies it, where that is allowed.
public struct TextStyle: OptionSet, Sendable {
    /// One bit for each style, in the order of ``codes``.
    public let rawValue: UInt16

    /// A set of styles from its bits; unknown bits have no effect.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Headings, and the word that says what a line is.
    public static let bold = TextStyle(rawValue: 1 << 0)
    /// What matters less than its surroundings.
    public static let dim = TextStyle(rawValue: 1 << 1)
    /// A link, or a place to type.
    public static let underline = TextStyle(rawValue: 1 << 2)
    /// Errors and refusals.
    public static let red = TextStyle(rawValue: 1 << 3)
    /// Success.
    public static let green = TextStyle(rawValue: 1 << 4)
    /// Warnings.
    public static let yellow = TextStyle(rawValue: 1 << 5)
    /// Neutral emphasis.
    public static let blue = TextStyle(rawValue: 1 << 6)
    /// Neutral emphasis, a second kind.
    public static let magenta = TextStyle(rawValue: 1 << 7)
    /// Neutral emphasis, a third kind.
    public static let cyan = TextStyle(rawValue: 1 << 8)

    /// The "select graphic rendition" parameters of ECMA-48, by bit.
    private static let codes = ["1", "2", "4", "31", "32", "33", "34", "35", "36"]

    /// The text between the sequences that switch the style on and off; plain for the empty set and no colour.
    func applied(to text: String, in colour: TextColour? = nil) -> String {
        let own = Self.codes.indices.filter { rawValue & (1 << UInt16($0)) != 0 }.map { Self.codes[$0] }
        let parameters = own + (colour.map { [$0.parameters] } ?? [])
        if parameters.isEmpty || text.isEmpty { return text }
        return "\u{1B}[\(parameters.joined(separator: ";"))m\(text)\u{1B}[0m"
    }
}
