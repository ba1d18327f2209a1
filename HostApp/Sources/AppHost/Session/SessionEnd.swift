import Dispatch
import Glibc
import Synchronization
import AppScreens

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

extension SignalHandler {
    /// Installs a handler for Ctrl-C. The third press without a reset of the count ends the program.
    static func ofInterrupts(
        _ count: InterruptCount, _ action: @escaping @Sendable (_ press: Int) -> Void
    ) -> SignalHandler? {
        SignalHandler(SIGINT) { number in
            let press = count.add()
            if press < 3 { action(press) } else { endProgram(by: number) }
        }
    }

    /// Ends the program in the same way as a signal does by default, after its terminal was given back.
    static func endProgram(by number: Int32) {
        TerminalScreen.restore()
        restoreDefault(of: number)
        kill(getpid(), number)
    }
}

/// The number of times that Ctrl-C was pressed since the last reset.
final class InterruptCount: Sendable {
    private let count = Atomic(0)

    func add() -> Int { count.add(1, ordering: .relaxed).newValue }

    func reset() { count.store(0, ordering: .relaxed) }

    var isZero: Bool { count.load(ordering: .relaxed) == 0 }
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
