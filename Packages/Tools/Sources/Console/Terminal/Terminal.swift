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
    public static let plain = Terminal(isTerminal: false, columns: nil) { _ in nil }

    /// Queries the system and the environment about a stream.
    public init(_ stream: StandardStream) {
        self.init(
            isTerminal: System.isTerminal(stream.descriptor), columns: System.columns(stream.descriptor),
            environment: System.environment)
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

/// Restores the mode of a terminal if a signal ends the program while the keys are read.
struct TerminalRescue {
    fileprivate typealias Handler = @convention(c) (Int32) -> Void

    /// The signals that do not end a program by default, cannot be handled, or come from an error of the program.
    private static let others: Set = [
        SIGKILL, SIGSTOP, SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH, SIGSEGV, SIGBUS, SIGILL,
        SIGFPE, SIGABRT, SIGTRAP, SIGSYS,
    ]
    fileprivate static let count: Int32 = 65

    private let replaced: [Int32]

    /// Installs the signal handlers; only one instance can exist at a time, and it must be ended.
    ///
    /// - Parameter mode: the terminal's previous mode.
    init(_ descriptor: Int32, mode: termios) {
        held.pointee = (descriptor, mode)
        replaced = (1..<Self.count).filter { !Self.others.contains($0) }.filter { number in
            let before = signal(number, rescue)
            // Such as a number that the C library keeps for itself.
            if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_ERR, to: Int.self) { return false }
            handlers[Int(number)] = before
            // A signal that is ignored, as in a program started in the background, stays ignored.
            if System.isIgnored(before) { signal(number, SIG_IGN) }
            return true
        }
    }

    func end() {
        for number in replaced { signal(number, handlers[Int(number)]) }
    }
}

// because: a signal handler takes no context and must not block; this is written before the handler is installed.
private nonisolated(unsafe) let held = UnsafeMutablePointer<(descriptor: Int32, mode: termios)>.allocate(capacity: 1)
// because: as above.
private nonisolated(unsafe) let handlers = {
    let place = UnsafeMutablePointer<TerminalRescue.Handler?>.allocate(capacity: Int(TerminalRescue.count))
    place.initialize(repeating: nil, count: Int(TerminalRescue.count))
    return place
}()

/// Restores the mode, and lets the handler that was there before do the rest: the default one, or that of a session.
private func rescue(_ number: Int32) {
    tcsetattr(held.pointee.descriptor, TCSANOW, &held.pointee.mode)
    signal(number, handlers[Int(number)])
    raise(number)
}
