/// A style of text on a terminal, applied by a terminal that allows styles.
public struct TextStyle: OptionSet, Sendable {
    /// The bits of the styles, in the order of their codes.
    public let rawValue: UInt16

    /// Creates a set of styles from bits; unknown bits have no effect.
    public init(rawValue: UInt16) { self.rawValue = rawValue }

    /// Headings and labels.
    public static let bold = TextStyle(rawValue: 1 << 0)
    /// Text of lower importance.
    public static let dim = TextStyle(rawValue: 1 << 1)
    /// Links and input fields.
    public static let underline = TextStyle(rawValue: 1 << 2)
    /// Errors.
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

    /// The parameters of the ECMA-48 sequence SGR by bit.
    private static let codes = ["1", "2", "4", "31", "32", "33", "34", "35", "36"]

    /// Returns the text between the sequences that switch the style on and off; plain text if there is no style.
    func applied(to text: String, in color: TextColor? = nil) -> String {
        let own = Self.codes.indices.filter { rawValue & (1 << UInt16($0)) != 0 }.map { Self.codes[$0] }
        let parameters = own + (color.map { [$0.parameters] } ?? [])
        if parameters.isEmpty || text.isEmpty { return text }
        return "\u{1B}[\(parameters.joined(separator: ";"))m\(text)\u{1B}[0m"
    }
}
