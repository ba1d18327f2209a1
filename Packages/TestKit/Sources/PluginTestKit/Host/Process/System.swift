internal import Dispatch
internal import Glibc
internal import HostSystem
internal import PluginCore
internal import Synchronization

/// The system calls for descriptors.
enum System {
    /// Ignores SIGPIPE once for the process, so that writing to an ended process fails instead of killing the tests.
    static let ignoresBrokenPipes: Void = { _ = signal(SIGPIPE, SIG_IGN) }()

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Creates a pipe that child processes do not inherit.
    static func pipe() -> (reader: OpenFile, writer: OpenFile)? {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (OpenFile(ends[0], at: "pipe"), OpenFile(ends[1], at: "pipe"))
    }

    /// Creates a terminal: the descriptor of its user, one that keeps it open, and its device.
    static func terminal(
        columns: UInt16, rows: UInt16
    ) -> (controller: OpenFile, user: OpenFile, device: String)? {
        var (controller, user, device) = (Int32(-1), Int32(-1), [CChar](repeating: 0, count: 128))
        var size = winsize(ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
        guard openpty(&controller, &user, &device, nil, &size) == 0 else { return nil }
        for end in [controller, user] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (
            OpenFile(controller, at: "terminal"), OpenFile(user, at: "terminal"),
            device.withUnsafeBufferPointer { buffer in
                buffer.baseAddress.map { String(cString: $0) } ?? ""
            }
        )
    }
}

/// The standard input of a process.
final class ProcessInput: Sendable {
    let isTerminal: Bool
    private let descriptor: Mutex<OpenFile?>
    /// Blocking writes run on this queue instead of the concurrency pool.
    private let queue = DispatchQueue(label: "process input")

    init(_ descriptor: OpenFile, isTerminal: Bool) {
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
        (try? descriptor.withLock { $0 }?.append(bytes)) != nil
    }
}
