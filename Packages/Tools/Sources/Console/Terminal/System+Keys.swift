import Glibc

extension System {
    /// Opens the controlling terminal; returns `nil` if there is none.
    static func openTerminal() -> Int32? {
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        return descriptor < 0 ? nil : descriptor
    }

    /// The descriptor of standard input.
    static var standardInput: Int32 { STDIN_FILENO }

    /// Returns whether input or the end of input is available within a time in milliseconds.
    static func hasInput(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var poll = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return Glibc.poll(&poll, 1, milliseconds) > 0
    }

    static func close(_ descriptor: Int32) {
        Glibc.close(descriptor)
    }

    /// Switches the terminal to passing each key without showing it.
    ///
    /// - Returns: the previous mode; `nil` if the descriptor is not a terminal.
    static func takeKeys(_ descriptor: Int32) -> termios? {
        var mode = termios()
        guard tcgetattr(descriptor, &mode) == 0 else { return nil }
        var quiet = mode
        quiet.c_lflag &= ~tcflag_t(ECHO | ECHONL | ICANON | ISIG | IEXTEN)
        // Input that was typed before the prompt is discarded.
        return tcsetattr(descriptor, TCSAFLUSH, &quiet) == 0 ? mode : nil
    }

    static func giveBack(_ mode: termios, to descriptor: Int32) {
        var mode = mode
        tcsetattr(descriptor, TCSAFLUSH, &mode)
    }

    /// Returns the next key; `nil` at the end of input.
    static func key(from descriptor: Int32) -> UInt8? {
        var key: UInt8 = 0
        while true {
            let count = read(descriptor, &key, 1)
            if count < 0, errno == EINTR { continue }
            return count == 1 ? key : nil
        }
    }
}
