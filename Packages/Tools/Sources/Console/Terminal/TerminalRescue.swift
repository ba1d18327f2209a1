#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Gives a terminal back when a signal ends the program while its keys are taken: nobody else would.
struct TerminalRescue {
    private typealias Handler = @convention(c) (Int32) -> Void

    /// Those that end a program by default and that somebody may send to one that waits for a person.
    private static let signals = [SIGHUP, SIGINT, SIGQUIT, SIGTERM]

    private let replaced: [(signal: Int32, handler: Handler?)]

    /// Starts; ``end()`` must follow. One at a time.
    ///
    /// - Parameter mode: how the terminal was before.
    init(_ descriptor: Int32, mode: termios) {
        held.pointee = (descriptor, mode)
        replaced = Self.signals.map { number in
            let before = signal(number, rescue)
            // What is ignored, as for a program that is started in the background, goes on being ignored.
            if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
            return (number, before)
        }
    }

    func end() {
        for (number, handler) in replaced { signal(number, handler) }
    }
}

// Plain memory, written before the handler is there,
// because the handler can be handed nothing, may not wait, and may come at any moment.
private nonisolated(unsafe) let held = UnsafeMutablePointer<(descriptor: Int32, mode: termios)>.allocate(capacity: 1)

private func rescue(_ number: Int32) {
    tcsetattr(held.pointee.descriptor, TCSANOW, &held.pointee.mode)
    signal(number, SIG_DFL)
    raise(number)
}
