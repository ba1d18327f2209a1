import Dispatch
import PluginCore
import Synchronization

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
    private let clock: any _Concurrency.Clock<Duration>

    /// Creates a deadline that starts anew with each use.
    ///
    /// - Parameters:
    ///   - limit: The time limit. A limit of zero or less has already expired.
    ///   - clock: The clock that measures the time.
    public init(_ limit: Duration, clock: any _Concurrency.Clock<Duration> = ContinuousClock()) {
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
        let (outcome, stopwatch) = (FirstOutcome<R>(), PausableStopwatch(limit, clock))
        let work = Task(executorPreference: HandlerPool.shared) { @concurrent in
            await stopwatch.measure(body, outcome)
        }
        return try await value(of: outcome, stopwatch, work, subject, of: owner, isCanceledWithCaller: true)
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
        let (outcome, stopwatch) = (FirstOutcome<R>(), PausableStopwatch(limit, clock))
        let work = Task.immediate { @MainActor in await stopwatch.measure(body, outcome) }
        if let result = outcome.known { return try result.get() }
        return try await value(
            of: outcome, stopwatch, work, subject, of: owner, isCanceledWithCaller: isCanceledWithCaller)
    }

    private func value<R: Sendable>(
        of outcome: FirstOutcome<R>, _ stopwatch: PausableStopwatch, _ work: Task<Void, Never>, _ subject: String,
        of owner: String, isCanceledWithCaller: Bool
    ) async throws -> R {
        stopwatch.start {
            let error = AtriumError(
                .deadlineExceeded, subject, reason: "deadline",
                ["owner": .text(owner), "limit": .reason(limit.reason)])
            outcome.resolve(.failure(error))
            // Cancellation handlers of the code may block, so they must not run on the timer thread.
            DispatchQueue(label: "atrium.canceling").async { work.cancel() }
        }
        return try await withTaskCancellationHandler {
            try await outcome.value()
        } onCancel: {
            if isCanceledWithCaller { work.cancel() }
        }
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

/// A serial queue for timers, which has its own thread while it is busy.
///
/// No code of bundles runs on it or on others of its quality of service, so timers fire on time even if such code blocks all other threads.
private let timers = DispatchQueue(label: "atrium.alarms", qos: .userInteractive)

extension _Concurrency.Clock where Duration == Swift.Duration {
    /// Returns a closure that returns the time since now.
    func elapsed() -> @Sendable () -> Duration {
        let start = now
        return { start.duration(to: now) }
    }

    /// Calls a closure, which must return quickly, after some time.
    ///
    /// - Returns: A closure that cancels the call.
    func call(after time: Duration, _ body: @escaping @Sendable () -> Void) -> @Sendable () -> Void {
        guard self is ContinuousClock else {
            // Other clocks, such as those of tests, implement their own sleep.
            let end = now.advanced(by: time)
            let sleep = Task { @concurrent in
                if (try? await self.sleep(until: end, tolerance: nil)) != nil { body() }
            }
            return { sleep.cancel() }
        }
        // because: a timer source can be canceled from any thread.
        nonisolated(unsafe) let timer = DispatchSource.makeTimerSource(queue: timers)
        timer.setEventHandler(handler: body)
        timer.schedule(deadline: .now() + time / .seconds(1))
        timer.activate()
        return { timer.cancel() }
    }
}

/// A result that several tasks try to set, and for which one waits. The first one counts.
package final class FirstOutcome<R: Sendable>: Sendable {
    private let state = Mutex<(result: Result<R, any Error>?, waiting: CheckedContinuation<R, any Error>?)>((nil, nil))

    package init() {}

    /// Sets the result, unless it is already set.
    package func resolve(_ result: Result<R, any Error>) {
        let waiting = state.withLock { state in
            state.result = state.result ?? result
            return state.waiting.take()
        }
        waiting?.resume(with: result)
    }

    /// The result, or nil if it is not set yet.
    var known: Result<R, any Error>? { state.withLock { $0.result } }

    /// Waits for the result, also in a task that is canceled.
    package func value() async throws -> R {
        try await withCheckedThrowingContinuation { continuation in
            let known: Result<R, any Error>? = state.withLock { state in
                if state.result == nil { state.waiting = continuation }
                return state.result
            }
            if let known { continuation.resume(with: known) }
        }
    }
}
