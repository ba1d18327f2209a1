internal import Glibc

/// An open descriptor, which child processes do not inherit, and which is closed with the last reference.
final class Descriptor: Sendable {
    let number: Int32

    init(_ number: Int32) {
        self.number = number
        _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(number) }
}

/// The system calls for descriptors.
enum System {
    /// Ignores SIGPIPE once for the process, so that writing to an ended process fails instead of killing the tests.
    static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Opens or creates a file whose writes go to its end; child processes do not inherit it.
    static func openForAppending(_ path: String) -> Descriptor? {
        let file = open(path, O_WRONLY | O_CREAT | O_APPEND, 0o644)
        return file < 0 ? nil : Descriptor(file)
    }

    static func message(_ number: Int32) -> String {
        String(cString: strerror(number))
    }

    /// Creates a pipe that child processes do not inherit.
    static func pipe() -> (reader: Descriptor, writer: Descriptor)? {
        var ends: [Int32] = [-1, -1]
        return Glibc.pipe(&ends) == 0 ? (Descriptor(ends[0]), Descriptor(ends[1])) : nil
    }

    /// Creates a terminal: the descriptor of its user, one that keeps it open, and its device.
    static func terminal(
        columns: UInt16, rows: UInt16
    ) -> (controller: Descriptor, user: Descriptor, device: String)? {
        var (controller, user, device) = (Int32(-1), Int32(-1), [CChar](repeating: 0, count: 128))
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&controller, &user, &device, nil, &size) == 0 else { return nil }
        return (
            Descriptor(controller), Descriptor(user),
            device.withUnsafeBufferPointer { buffer in
                buffer.baseAddress.map { String(cString: $0) } ?? ""
            }
        )
    }

    static func makeNonBlocking(_ descriptor: Descriptor) {
        _ = fcntl(descriptor.number, F_SETFL, fcntl(descriptor.number, F_GETFL) | O_NONBLOCK)
    }

    /// Reads the available bytes, at most 64 KiB. Returns nil at the end, which a terminal reports as an error.
    static func read(_ descriptor: Descriptor) -> [UInt8]? {
        [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            var result = -1
            repeat {
                result = Glibc.read(descriptor.number, buffer.baseAddress, buffer.count)
            } while result < 0 && errno == EINTR
            count = max(0, result)
        }.nonEmpty
    }

    /// Writes bytes and returns the number that was accepted, or nil if there are no readers anymore.
    static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Descriptor) -> Int? {
        bytes.withUnsafeBytes { buffer in
            while true {
                let count = Glibc.write(descriptor.number, buffer.baseAddress, buffer.count)
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

    static func waitUntilWritable(_ descriptor: Descriptor, timeout: Int32) -> Bool {
        !poll([descriptor.number], for: Int32(POLLOUT), timeout: timeout).isEmpty
    }
}

extension Array {
    fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
