import Glibc

/// Restores the mode of a terminal if a signal ends the program while the keys are read.
struct TerminalRescue {
    fileprivate typealias Handler = @convention(c) (Int32) -> Void

    /// The signals that do not end a program by default, cannot be handled, or come from an error of the program.
    private static let others: Set = [
        SIGKILL, SIGSTOP, SIGCHLD, SIGCONT, SIGTSTP, SIGTTIN, SIGTTOU, SIGURG, SIGWINCH, SIGSEGV, SIGBUS, SIGILL,
        SIGFPE, SIGABRT,
        SIGTRAP, SIGSYS,
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
