internal import Dispatch
import PluginCore
internal import Synchronization

/// A time limit for code of a bundle, after which its caller stops waiting.
///
/// The code runs in its own task, and unless it is isolated to an actor, on a separate thread pool. When its time is over, the caller gets
/// an error, the task is canceled, and its later result is ignored. Code that blocks occupies a thread of that pool, never a thread that
/// the host or the deadline needs. Code on the main actor that blocks its thread also blocks the host, which a single process cannot
/// prevent.
///
/// ```swift
/// let page = try await Deadline(.seconds(30)).run("shop/item/:id", of: "com.example.app.shop") {
///     try await principal.resource(for: request)
/// }
/// ```
public struct Deadline: Sendable {
    private let limit: Duration
    private let clock: any Clock<Duration>

    /// Creates a deadline that starts anew with each use.
    ///
    /// - Parameters:
    ///   - limit: The time limit. A limit of zero or less has already expired.
    ///   - clock: The clock that measures the time.
    public init(_ limit: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.limit = limit
        self.clock = clock
    }

    /// Runs code and waits until it ends or its time is over.
    ///
    /// The time during which the code waits for a user, in a modal page or a suspending interceptor, does not count.
    ///
    /// - Parameters:
    ///   - subject: The request that the code handles, for the error.
    ///   - owner: The owner of the code, for the error.
    ///   - body: The code. It is canceled together with its caller.
    /// - Throws: ``AtriumError`` with code `deadlineExceeded`, and the errors of `body`.
    public func run<R: Sendable>(
        _ subject: String, of owner: String, _ body: @escaping @Sendable () async throws -> R
    ) async throws -> R {
        let run = MeasuredRun<R>(limit, clock)
        let work = Task(executorPreference: HandlerPool.shared) { @concurrent in await run.measure(body) }
        return try await outcome(of: run, work, subject, of: owner, isCanceledWithCaller: true)
    }

    /// Runs code on the main actor and waits until it ends or its time is over.
    ///
    /// The code starts immediately. Most code ends before it first suspends; then no timer is started and no other thread is needed.
    ///
    /// - Parameters:
    ///   - subject: The request that the code handles, for the error.
    ///   - owner: The owner of the code, for the error.
    ///   - isCanceledWithCaller: Whether the code is canceled together with its caller. Pass `false` for code with several callers.
    ///   - body: The code.
    /// - Throws: The errors of ``run(_:of:_:)``.
    @MainActor
    public func runOnMain<R: Sendable>(
        _ subject: String, of owner: String, isCanceledWithCaller: Bool = true,
        _ body: @escaping @MainActor @Sendable () async throws -> R
    ) async throws -> R {
        let run = MeasuredRun<R>(limit, clock)
        let work = Task.immediate { @MainActor in await run.measure(body) }
        if let result = run.outcome.known { return try result.get() }
        return try await outcome(of: run, work, subject, of: owner, isCanceledWithCaller: isCanceledWithCaller)
    }

    private func outcome<R: Sendable>(
        of run: MeasuredRun<R>, _ work: Task<Void, Never>, _ subject: String, of owner: String,
        isCanceledWithCaller: Bool
    ) async throws -> R {
        run.stopwatch.start {
            let error = AtriumError(
                .deadlineExceeded, subject, reason: "deadline",
                ["owner": .text(owner), "limit": .reason(limit.reason)])
            run.outcome.resolve(.failure(error))
            // Cancellation handlers of the code may block, so they must not run on the timer thread.
            DispatchQueue(label: "atrium.canceling").async { work.cancel() }
        }
        return try await withTaskCancellationHandler {
            try await run.outcome.value()
        } onCancel: {
            if isCanceledWithCaller { work.cancel() }
        }
    }
}

/// The code that a deadline limits: its result, and the time that it has used.
private struct MeasuredRun<R: Sendable>: Sendable {
    let outcome = FirstOutcome<R>()
    let stopwatch: PausableStopwatch

    init(_ limit: Duration, _ clock: any Clock<Duration>) {
        stopwatch = PausableStopwatch(limit, clock: clock, within: PausableStopwatch.current)
    }

    /// Runs the code, in the isolation of the caller.
    func measure(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> R) async {
        let result: Result<R, any Error>
        do {
            result = .success(
                try await PausableStopwatch.$current.withValue(stopwatch) {
                    _ = isolation
                    return try await body()
                })
        } catch {
            result = .failure(error)
        }
        stopwatch.stop()
        outcome.resolve(result)
    }
}

extension Duration {
    /// The duration for errors.
    var reason: ErrorReason {
        let (whole, fraction) = components
        let seconds = fraction == 0 ? "\(whole)" : "\(Double(whole) + Double(fraction) / 1e18)"
        return seconds == "1" ? ErrorReason("oneSecond") : ErrorReason("seconds", ["seconds": .text(seconds)])
    }
}

/// A type-erased clock, read as the time since its creation.
struct DeadlineTimer: Sendable {
    /// A serial queue, which has its own thread while it is busy.
    ///
    /// No code of bundles runs on it or on others of its quality of service, so timers fire on time even if such code blocks all other threads.
    private static let queue = DispatchQueue(label: "atrium.alarms", qos: .userInteractive)

    /// A closure that cancels a scheduled call.
    typealias CallOff = @Sendable () -> Void

    /// Returns the time since the creation of this object.
    let now: @Sendable () -> Duration
    /// Schedules a closure for a time. The closure must return quickly.
    let call: @Sendable (Duration, @escaping @Sendable () -> Void) -> CallOff

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        now = { start.duration(to: clock.now) }
        if let start = start as? ContinuousClock.Instant {
            call = { time, body in
                // because: a timer source can be canceled from any thread.
                nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: Self.queue)
                timer.setEventHandler(handler: body)
                timer.schedule(deadline: .now() + ContinuousClock.now.duration(to: start + time) / .seconds(1))
                timer.activate()
                return { timer.cancel() }
            }
        } else {
            // Other clocks, such as those of tests, implement their own sleep.
            call = { time, body in
                let sleep = Task { @concurrent in
                    guard (try? await clock.sleep(until: start.advanced(by: time), tolerance: nil)) != nil else {
                        return
                    }
                    body()
                }
                return { sleep.cancel() }
            }
        }
    }
}

/// A result that several tasks try to set. The first one counts.
final class FirstOutcome<R: Sendable>: Sendable {
    private let state = Mutex<(result: Result<R, any Error>?, waiting: [CheckedContinuation<R, any Error>])>((nil, []))

    /// Sets the result, unless it is already set.
    func resolve(_ result: Result<R, any Error>) {
        let waiting: [CheckedContinuation<R, any Error>] = state.withLock { state in
            if state.result == nil { state.result = result }
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(with: result) }
    }

    /// The result, or nil if it is not set yet.
    var known: Result<R, any Error>? { state.withLock { $0.result } }

    /// Waits for the result, also in a task that is canceled.
    func value() async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            let known: Result<R, any Error>? = state.withLock { state in
                if state.result == nil { state.waiting.append(continuation) }
                return state.result
            }
            if let known { continuation.resume(with: known) }
        }
    }
}
