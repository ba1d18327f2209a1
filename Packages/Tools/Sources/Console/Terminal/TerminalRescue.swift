#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Restores the mode of a terminal if a signal ends the program while the keys are read.
struct TerminalRescue {
    private typealias Handler = @convention(c) (Int32) -> Void

    /// The signals that end a program by default and that are commonly sent to one that waits for input.
    private static let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    private let replaced: [(signal: Int32, handler: Handler?)]

    /// Installs the signal handlers; only one instance can exist at a time, and it must be ended.
    ///
    /// - Parameter mode: the terminal's previous mode.
    init(_ descriptor: Int32, mode: termios) {
        held.pointee = (descriptor, mode)
        replaced = Self.signals.map { number in
            let before = signal(number, rescue)
            // A signal that is ignored, as in a program started in the background, stays ignored.
            if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
            return (number, before)
        }
    }

    func end() {
        for (number, handler) in replaced { signal(number, handler) }
    }
}

// because: a signal handler takes no context and must not block; this is written before the handler is installed.
private nonisolated(unsafe) let held = UnsafeMutablePointer<(descriptor: Int32, mode: termios)>.allocate(capacity: 1)

private func rescue(_ number: Int32) {
    tcsetattr(held.pointee.descriptor, TCSANOW, &held.pointee.mode)
    signal(number, SIG_DFL)
    raise(number)
}
