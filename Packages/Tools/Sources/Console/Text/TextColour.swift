/// A colour of a terminal: one of the 16 that users choose themselves, or one of the 256 that terminals share.
///
/// ```swift
/// Terminal(.output).styled("Shop", .bold, in: TextColour(named: "bright cyan"))
/// ```
public struct TextColour: Hashable, Sendable {
    /// The "select graphic rendition" parameters (ECMA-48, 8.3.117; xterm's for the 256).
    let parameters: String

    /// The names, in the order of their numbers; each also with `bright` before it.
    private static let names = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"]
    private static let bright = "bright "

    /// The colour of a name: `cyan`, `bright cyan`; `nil` for another one.
    public init?(named name: String) {
        let isBright = name.hasPrefix(Self.bright)
        let plain = isBright ? String(name.dropFirst(Self.bright.count)) : name
        guard let number = Self.names.firstIndex(of: plain) else { return nil }
        parameters = "\(number + (isBright ? 90 : 30))"
    }

    /// The colour of a number among 256.
    public init(number: UInt8) {
        parameters = "38;5;\(number)"
    }
}
