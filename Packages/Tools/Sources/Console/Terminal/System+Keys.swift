#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension System {
    /// The terminal that controls this process; `nil` when there is none.
    static func openTerminal() -> Int32? {
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        return descriptor < 0 ? nil : descriptor
    }

    /// The descriptor of standard input.
    static var standardInput: Int32 { STDIN_FILENO }

    /// Returns whether something can be read from a descriptor, or its end, by the end of a time in milliseconds.
    static func hasInput(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        #if canImport(Glibc)
            return Glibc.poll(&poll, 1, milliseconds) > 0
        #else
            return Darwin.poll(&poll, 1, milliseconds) > 0
        #endif
    }

    static func close(_ descriptor: Int32) {
        #if canImport(Glibc)
            Glibc.close(descriptor)
        #else
            Darwin.close(descriptor)
        #endif
    }

    /// Has the terminal hand over each key as it is pressed, and show none.
    ///
    /// - Returns: how the terminal was before; `nil` when it is none.
    static func takeKeys(_ descriptor: Int32) -> termios? {
        var mode = termios()
        guard tcgetattr(descriptor, &mode) == 0 else { return nil }
        var quiet = mode
        quiet.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        // What was typed ahead was typed for somebody else.
        return tcsetattr(descriptor, TCSAFLUSH, &quiet) == 0 ? mode : nil
    }

    static func giveBack(_ mode: termios, to descriptor: Int32) {
        var mode = mode
        tcsetattr(descriptor, TCSAFLUSH, &mode)
    }

    /// The next key; `nil` at the end.
    static func key(from descriptor: Int32) -> UInt8? {
        var key: UInt8 = 0
        while true {
            let count = read(descriptor, &key, 1)
            if count < 0, errno == EINTR { continue }
            return count == 1 ? key : nil
        }
    }
}
