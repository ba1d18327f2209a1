import Dispatch
import Glibc
import HostSystem
import PluginCore
import Synchronization

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

/// A value that several threads change, and for whose changes tasks wait.
final class Watched<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var watchers: [Int: AsyncStream<Void>.Continuation] = [:]
        var count = 0
    }

    private let state: Mutex<State>

    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// The current value.
    var value: Value { state.withLock { $0.value } }

    /// Changes the value and wakes those who wait.
    @discardableResult
    func update<Result: Sendable>(_ change: (inout Value) throws -> Result) rethrows -> Result {
        try state.withLock { state in
            defer { for watcher in state.watchers.values { watcher.yield() } }
            return try change(&state.value)
        }
    }

    /// Returns the first result of a closure that is not nil, called now and after changes, or nil after the time limit and in a canceled task.
    func wait<Answer: Sendable>(_ limit: Duration, until answer: (inout Value) -> Answer?) async -> Answer? {
        let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        continuation.yield()
        let number = state.withLock { state in
            state.count += 1
            state.watchers[state.count] = continuation
            return state.count
        }
        let timer = Task.detached {
            try? await Task.sleep(for: limit)
            continuation.finish()
        }
        defer {
            timer.cancel()
            state.withLock { $0.watchers[number] = nil }
        }
        for await _ in changes {
            if let found = state.withLock({ answer(&$0.value) }) { return found }
        }
        return nil
    }
}
