import Dispatch
import Glibc
import LineEditing
import Synchronization
import TerminalScreen

/// The end of a session, in order, or by a signal that asks the program to end: plugins are told in both cases.
@MainActor
final class SessionEnd {
    /// The seconds that plugins have after a signal.
    private nonisolated static let patience = 5

    private let work: @MainActor (_ isBySignal: Bool) async -> Void
    private var isFinishing = false
    private var isFinished = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var handler: SignalHandler?
    /// The signal that has ended the session, or 0.
    private let signal = Atomic<Int32>(0)

    /// Waits for the signals from now on.
    ///
    /// - Parameter work: What is done at the end, once.
    init(_ work: @escaping @MainActor (_ isBySignal: Bool) async -> Void) {
        self.work = work
        handler = SignalHandler(SIGTERM, SIGHUP) { [weak self] number in
            // The sender of a second signal does not want to wait.
            guard let self, self.signal.exchange(number, ordering: .sequentiallyConsistent) == 0 else {
                return SignalHandler.endProgram(by: number)
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Self.patience)) {
                SignalHandler.endProgram(by: number)
            }
            Task { @MainActor in
                await self.finish()
                SignalHandler.endProgram(by: number)
            }
        }
    }

    /// A Boolean value that indicates whether a signal has ended the session.
    var isBySignal: Bool { signal.load(ordering: .sequentiallyConsistent) != 0 }

    /// Does the work of the end. After a signal, the program has ended when this returns, or does so at once.
    ///
    /// The work is done in the task of the first caller, because another task would start the thread pool.
    func finish() async {
        if isFinished { return }
        if isFinishing { return await withCheckedContinuation { waiting.append($0) } }
        isFinishing = true
        await work(isBySignal)
        isFinished = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    /// Leaves the signals to the system again, unless one has come.
    func close() {
        let number = signal.load(ordering: .sequentiallyConsistent)
        if number != 0 { SignalHandler.endProgram(by: number) }
        handler?.end()
        handler = nil
    }
}

/// A handler for signals that replaces the default of ending the program; only one can exist at a time for each signal.
///
/// A signal handler may call only a few functions, so it writes a byte into a pipe that a thread reads. A dispatch source would start the
/// thread pool, which short commands do without.
final class SignalHandler {
    private let numbers: [Int32]
    private let writeEnd: Int32

    /// The thread's part of a handler.
    private final class Reader: Sendable {
        private let end: Int32
        private let action: @Sendable (Int32) -> Void

        init(_ end: Int32, _ action: @escaping @Sendable (Int32) -> Void) { (self.end, self.action) = (end, action) }

        func run() {
            var byte: UInt8 = 0
            while true {
                let count = read(end, &byte, 1)
                if count == 1 { action(Int32(byte)) } else if count == 0 || errno != EINTR { break }
            }
            close(end)
        }
    }

    /// Installs the handler. A signal that is ignored, as under `nohup`, stays ignored.
    ///
    /// - Parameter action: called on a separate thread with the number of each signal.
    init?(_ numbers: Int32..., action: @escaping @Sendable (Int32) -> Void) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (read, write) = (ends[0], ends[1])
        _ = fcntl(write, F_SETFL, O_NONBLOCK)
        self.numbers = numbers
        writeEnd = write
        let reader = Unmanaged.passRetained(Reader(read, action))
        var (thread, attributes) = (pthread_t(), pthread_attr_t())
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        // Where memory is short, the usual megabytes would be missing elsewhere.
        pthread_attr_setstacksize(&attributes, 256 << 10)
        let status = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                Unmanaged<Reader>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, reader.toOpaque())
        guard status == 0 else {
            reader.release()
            for end in ends { close(end) }
            return nil
        }
        pthread_detach(thread)
        for number in numbers {
            wakingEnds[Int(number)] = write
            // `signal` restarts interrupted system calls, so a pending read of standard input continues.
            let before = signal(number, wake)
            if unsafeBitCast(before, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self) { signal(number, SIG_IGN) }
        }
    }

    /// Installs a handler for Ctrl-C.
    static func ofInterrupts(_ action: @escaping @Sendable (Int32) -> Void) -> SignalHandler? {
        SignalHandler(SIGINT, action: action)
    }

    /// Restores the default, so that the signals end the program.
    func end() {
        for number in numbers { Self.restore(number) }
        close(writeEnd)
    }

    /// Ends the program in the same way as a signal does by default, after its terminal was given back.
    static func endProgram(by number: Int32) {
        TerminalScreen.restore()
        LineEditor.restore()
        restore(number)
        kill(getpid(), number)
    }

    private static func restore(_ number: Int32) {
        if wakingEnds[Int(number)] < 0 { return }
        signal(number, SIG_DFL)
        wakingEnds[Int(number)] = -1
    }
}

// because: a signal handler takes no context and can run at any time, so that it needs plain memory.
private nonisolated(unsafe) let wakingEnds = {
    let place = UnsafeMutablePointer<Int32>.allocate(capacity: 65)
    place.initialize(repeating: -1, count: 65)
    return place
}()

private func wake(_ number: Int32) {
    let error = errno
    var byte = UInt8(truncatingIfNeeded: number)
    if wakingEnds[Int(number)] >= 0 { _ = write(wakingEnds[Int(number)], &byte, 1) }
    errno = error
}

/// An actor on the main queue, beside the main actor.
///
/// Waiting for a call of it lets other code of the main actor run, as `Task.yield()` does, but does not start the thread pool, which
/// would take a twentieth of the time of opening a page.
actor MainQueue {
    private final class Executor: SerialExecutor {
        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            DispatchQueue.main.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    static let shared = MainQueue()
    private let executor = Executor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Returns when the tasks that were waiting for the main actor have begun.
    func turn() {}
}
