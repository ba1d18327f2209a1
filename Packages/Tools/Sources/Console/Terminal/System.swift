import Glibc
import HostSystem
package import PluginCore

/// The module's access to the operating system.
package enum System {
    /// Writes all bytes, also after interruptions and partial writes and to non-blocking descriptors.
    ///
    /// - Returns: `false` if the reader has gone away.
    static func write(_ bytes: [UInt8], to descriptor: Int32) throws(OutputError) -> Bool {
        var left = bytes[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count >= 0 {
                left = left.dropFirst(count)
                continue
            }
            switch errno {
            case EINTR: continue
            case EPIPE: return false
            case EAGAIN:
                // An interruption or an error shows in the next attempt to write.
                var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                poll(&request, 1, -1)
            default: throw OutputError(errno: errno)
            }
        }
        return true
    }

    /// Redirects descriptor 1 to standard error.
    ///
    /// - Returns: a descriptor of the original standard output that child processes do not inherit; -1 if it is closed.
    static func reserveOutput() throws(OutputError) -> Int32 {
        // The new descriptor must not be one of the standard streams, in case one of those is closed.
        let own = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
        guard own >= 0 || errno == EBADF else { throw OutputError(errno: errno) }
        if dup2(STDERR_FILENO, STDOUT_FILENO) >= 0 { return own }
        // Standard error is closed, so output of other code is discarded.
        let nowhere = open("/dev/null", O_WRONLY)
        if nowhere >= 0, nowhere != STDOUT_FILENO {
            dup2(nowhere, STDOUT_FILENO)
            close(nowhere)
        }
        return own
    }

    static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// Returns the terminal's width in columns; `nil` if it is unknown.
    static func columns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// The path of the running program without links; `program` in the current folder if the system cannot say it.
    package static var program: FilePath {
        FilePath(FileSystem.target(ofLink: "/proc/self/exe") ?? "program")
    }

    package static func message(errno code: Int32) -> String { FileSystem.message(code) }

    static func takeSignals() {
        for number in [SIGPIPE, SIGXFSZ] { signal(number, SIG_IGN) }
        // Swift's runtime takes it for a crash, reports that, and goes on. A signal that is ignored stays ignored.
        if !isIgnored(signal(SIGQUIT, SIG_DFL)) { return }
        signal(SIGQUIT, SIG_IGN)
    }

    static func isIgnored(_ handler: (@convention(c) (Int32) -> Void)?) -> Bool {
        unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    }

    /// Opens a device in place of each closed standard stream, on which reading and writing fail as before.
    static func holdStandardStreams() {
        for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
            let flags = descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY
            if open("/dev/null", flags) != descriptor { return }
        }
    }

    /// Returns whether no descriptor is that of a pipe, a socket or a terminal whose other end is closed.
    static func haveReaders(_ descriptors: [Int32]) -> Bool {
        var polled = descriptors.map { pollfd(fd: $0, events: 0, revents: 0) }
        _ = poll(&polled, nfds_t(polled.count), 0)
        return !polled.contains { $0.revents & Int16(POLLERR | POLLHUP) != 0 }
    }

    /// Opens the controlling terminal; returns `nil` if there is none.
    static func openTerminal() -> Int32? {
        let descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        return descriptor < 0 ? nil : descriptor
    }

    /// Returns whether input or the end of input is available within a time in milliseconds.
    static func hasInput(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, milliseconds) > 0
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
