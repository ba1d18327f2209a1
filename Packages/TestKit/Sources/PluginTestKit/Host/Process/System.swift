internal import Glibc

/// The system calls for processes and descriptors, except starting a process.
enum System {
    /// Ignores SIGPIPE once for the process, so that writing to an ended process fails instead of killing the tests.
    static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Opens or creates a file whose writes go to its end; child processes do not inherit it.
    static func openForAppending(_ path: String) -> Int32? {
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        return file < 0 ? nil : file
    }

    static func message(_ number: Int32) -> String {
        String(cString: strerror(number))
    }

    static func close(_ descriptor: Int32) {
        _ = Glibc.close(descriptor)
    }

    /// Duplicates a descriptor. Child processes do not inherit the new one.
    static func duplicate(_ descriptor: Int32) -> Int32? {
        let other = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
        return other < 0 ? nil : other
    }

    static func makeNonBlocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    static func resize(_ terminal: Int32, columns: UInt16, rows: UInt16) {
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    }

    /// Reads the available bytes, at most 64 KiB. Returns nil at the end, which a terminal reports as an error.
    static func read(_ descriptor: Int32) -> [UInt8]? {
        [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            var result = -1
            repeat {
                result = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            } while result < 0 && errno == EINTR
            count = max(0, result)
        }.nonEmpty
    }

    /// Writes bytes and returns the number that was accepted, or nil if there are no readers anymore.
    static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Int? {
        bytes.withUnsafeBytes { buffer in
            while true {
                let count = Glibc.write(descriptor, buffer.baseAddress, buffer.count)
                if count >= 0 { return count }
                if errno == EAGAIN { return 0 }
                if errno != EINTR { return nil }
            }
        }
    }

    /// Waits for events on descriptors and returns the ready ones.
    ///
    /// - Parameter timeout: The time in milliseconds, or -1 for no limit.
    static func poll(_ descriptors: [Int32], for events: Int32, timeout: Int32) -> Set<Int32> {
        var polls = descriptors.map { pollfd(fd: $0, events: Int16(events), revents: 0) }
        while true {
            let count = Glibc.poll(&polls, nfds_t(polls.count), timeout)
            if count < 0, errno == EINTR { continue }
            return Set(polls.filter { $0.revents != 0 }.map(\.fd))
        }
    }

    static func waitUntilReadable(_ descriptors: [Int32], timeout: Int32) -> Set<Int32> {
        poll(descriptors, for: Int32(POLLIN), timeout: timeout)
    }

    static func waitUntilWritable(_ descriptor: Int32, timeout: Int32) -> Bool {
        !poll([descriptor], for: Int32(POLLOUT), timeout: timeout).isEmpty
    }

    /// Waits until a child process has ended, without reaping it.
    static func waitForEnd(of child: pid_t) {
        var info = siginfo_t()
        while waitid(P_PID, id_t(child), &info, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
    }

    /// Reaps an ended child process and returns its wait status.
    static func reap(_ child: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0 && errno == EINTR {}
        return status
    }

    /// Sends a signal to a process, or to a process group given by its negative number.
    static func send(_ number: Int32, to process: pid_t) {
        _ = kill(process, number)
    }

    static let killSignal = SIGKILL
}

extension Array {
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
