internal import Dispatch
internal import Glibc
internal import Synchronization

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

    /// Reads the next bytes, at most 64 KiB. Returns nil at the end, which a terminal reports as an error.
    static func read(_ descriptor: Descriptor) -> [UInt8]? {
        let bytes = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, count in
            var result = -1
            repeat {
                result = Glibc.read(descriptor.number, buffer.baseAddress, buffer.count)
            } while result < 0 && errno == EINTR
            count = max(0, result)
        }
        return bytes.isEmpty ? nil : bytes
    }

    /// Writes bytes. Returns false if there are no readers anymore.
    static func write(_ bytes: [UInt8], to descriptor: Descriptor) -> Bool {
        var left = bytes[...]
        while !left.isEmpty {
            let count = left.withUnsafeBytes { Glibc.write(descriptor.number, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { return false }
            left = left.dropFirst(max(0, count))
        }
        return true
    }
}

/// The standard input of a process.
final class ProcessInput: Sendable {
    let isTerminal: Bool
    private let descriptor: Mutex<Descriptor?>
    /// Blocking writes run on this queue instead of the concurrency pool.
    private let queue = DispatchQueue(label: "process input")

    init(_ descriptor: Descriptor, isTerminal: Bool) {
        self.isTerminal = isTerminal
        self.descriptor = Mutex(descriptor)
    }

    /// Writes all bytes. Returns false if the process does not read them, at all or in time.
    func write(_ bytes: [UInt8], timeout: Duration) async -> Bool {
        let isWritten = Watched<Bool?>(nil)
        queue.async { isWritten.update { $0 = self.write(bytes) } }
        return await isWritten.wait(timeout) { $0 } ?? false
    }

    /// Ends the input by closing the pipe, or on a terminal by Control-D.
    func close() {
        queue.async {
            if self.isTerminal { _ = self.write([0x04]) } else { self.descriptor.withLock { $0 = nil } }
        }
    }

    /// Writes bytes. It must run on the queue, which also closes the descriptor, so the descriptor remains valid.
    private func write(_ bytes: [UInt8]) -> Bool {
        descriptor.withLock { $0 }.map { System.write(bytes, to: $0) } ?? false
    }
}
