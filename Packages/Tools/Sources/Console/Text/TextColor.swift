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
