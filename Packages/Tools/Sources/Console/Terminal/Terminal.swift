/// What is known about the place where a stream's text ends up.
public struct Terminal: Sendable, Equatable {
    /// A Boolean value that indicates whether a person looks at a terminal there, rather than a file or pipe taking it.
    public let isTerminal: Bool
    /// Columns to lay text out in: `COLUMNS`, else what the terminal says, else 80.
    public let width: Int
    /// A Boolean value that indicates whether ``TextStyle`` is applied: a terminal, `TERM` neither empty nor `dumb`, and no `NO_COLOR`.
    public let allowsStyle: Bool
    /// A Boolean value that indicates whether a line may be drawn over: a terminal whose `TERM` is neither empty nor `dumb`.
    public let canRedraw: Bool

    /// Where lines are broken; `nil` where no person looks, and scripts count on whole lines.
    public var wrappingWidth: Int? { isTerminal ? width : nil }

    /// No terminal: 80 columns, plain text.
    public static let plain = Terminal(isTerminal: false, columns: nil) { _ in nil }

    /// Asks the system about a stream, and the environment about the user's wishes, once.
    public init(_ stream: StandardStream) {
        self.init(
            isTerminal: System.isTerminal(stream.descriptor), columns: System.columns(stream.descriptor),
            environment: System.environment)
    }

    /// Decides from given facts.
    ///
    /// `COLUMNS` wins over the terminal's own width (POSIX.1-2017, 8.3), and is believed between 1 and 10,000. Any
    /// `NO_COLOR` that is not empty switches styles off (no-color.org).
    /// - Parameter columns: what the terminal says; nil when it says nothing.
    public init(isTerminal: Bool, columns: Int?, environment: (String) -> String?) {
        let wished = environment("COLUMNS").flatMap { Int($0) }.flatMap { 1...10_000 ~= $0 ? $0 : nil }
        let kind = environment("TERM") ?? ""
        self.isTerminal = isTerminal
        width = wished ?? columns ?? 80
        canRedraw = isTerminal && !kind.isEmpty && kind != "dumb"
        allowsStyle = canRedraw && (environment("NO_COLOR") ?? "").isEmpty
    }

    /// Data made fit to print, in a style where that is allowed.
    ///
    /// The text passes ``printable(_:keepingLines:)``, so styled text cannot be styled again: combine styles instead.
    /// - Parameter colour: beside the style; `nil` for the terminal's own, or the style's.
    public func styled(_ text: String, _ style: TextStyle = [], in colour: TextColour? = nil) -> String {
        let text = printable(text)
        return allowsStyle ? style.applied(to: text, in: colour) : text
    }
}
