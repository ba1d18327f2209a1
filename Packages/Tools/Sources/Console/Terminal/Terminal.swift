import Glibc

/// The properties of a stream's destination.
public struct Terminal: Sendable, Equatable {
    /// A Boolean value that indicates whether the destination is a terminal and not a file or pipe.
    public let isTerminal: Bool
    /// The width in columns, which is that of `COLUMNS`, of the terminal, or 80.
    public let width: Int
    /// A Boolean value that indicates whether text styles are applied.
    ///
    /// They are applied on a terminal if `TERM` is neither empty nor `dumb` and `NO_COLOR` is not set.
    public let allowsStyle: Bool
    /// A Boolean value that indicates whether a line can be redrawn.
    ///
    /// It can on a terminal whose `TERM` is neither empty nor `dumb`.
    public let canRedraw: Bool

    /// The width at which lines are wrapped; `nil` if the destination is not a terminal, because scripts expect whole lines.
    public var wrappingWidth: Int? { isTerminal ? width : nil }

    /// A destination that is not a terminal, with 80 columns and plain text.
    public static let plain = Self(isTerminal: false, columns: nil) { _ in nil }

    /// Queries the system and the environment about a stream.
    public init(_ stream: StandardStream) {
        self.init(
            isTerminal: System.isTerminal(stream.descriptor), columns: System.columns(stream.descriptor),
            environment: { getenv($0).map { String(cString: $0) } })
    }

    /// Determines the properties from given values.
    ///
    /// `COLUMNS` between 1 and 10,000 takes precedence over the terminal's own width (POSIX.1-2017, 8.3). A nonempty `NO_COLOR`
    /// disables styles (no-color.org).
    ///
    /// - Parameter columns: the terminal's width; `nil` if it is unknown.
    public init(isTerminal: Bool, columns: Int?, environment: (String) -> String?) {
        let requested = environment("COLUMNS").flatMap { Int($0) }.flatMap { 1...10_000 ~= $0 ? $0 : nil }
        let kind = environment("TERM") ?? ""
        self.isTerminal = isTerminal
        width = requested ?? columns ?? 80
        canRedraw = isTerminal && !kind.isEmpty && kind != "dumb"
        allowsStyle = canRedraw && (environment("NO_COLOR") ?? "").isEmpty
    }

    /// Escapes control characters and applies a style if the destination allows it.
    ///
    /// The text passes ``printable(_:keepingLines:)``, so styled text cannot be styled again; combine styles instead.
    ///
    /// - Parameter color: a color in addition to the style; `nil` for the color of the style or of the terminal.
    public func styled(_ text: String, _ style: TextStyle = [], in color: TextColor? = nil) -> String {
        let text = printable(text)
        return allowsStyle ? style.applied(to: text, in: color) : text
    }
}

/// The signals that end the program, which wait while a terminal has another mode than before.
struct HeldSignals {
    private static let all = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF]

    private var before = sigset_t()

    /// Lets the signals wait, so that they do not end the program before ``release()``.
    init() {
        var held = sigset_t()
        for number in Self.all { sigaddset(&held, number) }
        pthread_sigmask(SIG_BLOCK, &held, &before)
    }

    /// A Boolean value that indicates whether one of them waits.
    var isOneWaiting: Bool {
        var waiting = sigset_t()
        sigpending(&waiting)
        return Self.all.contains { sigismember(&waiting, $0) == 1 }
    }

    /// Delivers those that wait.
    func release() {
        var before = before
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }
}
