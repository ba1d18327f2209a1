internal import Dispatch
import PluginCore

/// How long code of a bundle may take before its caller stops waiting for it.
///
/// The code runs in a task of its own, on threads of its own unless it says otherwise, so that it can be
/// left behind: when its time is over the caller gets an error, it is cancelled, and what it does later reaches nobody. What
/// it blocks is one of those threads, never one that the host or the deadline needs. Code on the main actor that blocks its
/// thread blocks the host; nothing in one process can help that.
///
/// ```swift
/// let page = try await Deadline(.seconds(30)).run("shop/item/:id", of: "com.example.app.shop") {
///     try await principal.resource(for: request)
/// }
/// ```
public struct Deadline: Sendable {
    private let limit: Duration
    private let clock: any Clock<Duration>

    /// A deadline that begins with each ``run(_:of:_:)``.
    ///
    /// - Parameters:
    ///   - limit: how long; what is not above zero is over at once.
    ///   - clock: what the time is measured with.
    public init(_ limit: Duration, clock: any Clock<Duration> = ContinuousClock()) {
        self.limit = limit
        self.clock = clock
    }

    /// Runs code, and waits for it as long as it has. Time in which the code waits for a user, in a modal opening or behind an
    /// interceptor that suspends, does not count.
    ///
    /// - Parameters:
    ///   - subject: what the code serves, for the error.
    ///   - owner: whose code it is, for the error.
    ///   - body: the code. When the caller is cancelled, so is it.
    /// - Throws: ``AtriumError`` with code `deadlineExceeded`, and what `body` throws.
    public func run<R: Sendable>(
        _ subject: String, of owner: String, _ body: @escaping @Sendable () async throws -> R
    ) async throws -> R {
        let (outcome, stopwatch) = (FirstOutcome<R>(), Stopwatch(limit, clock: clock, within: Stopwatch.current))
        let work = Task(executorPreference: HandlerPool.shared) { @concurrent in
            let result: Result<R, any Error>
            do {
                result = .success(try await Stopwatch.$current.withValue(stopwatch) { try await body() })
            } catch {
                result = .failure(error)
            }
            stopwatch.stop()
            outcome.settle(result)
        }
        return try await self.outcome(of: work, outcome, stopwatch, subject, of: owner, isCancelledWithCaller: true)
    }

    /// Runs code of the main actor, as ``run(_:of:_:)`` runs any other. It begins at once, and most such code has ended when it
    /// would first wait; then nothing has been timed, and no thread but the main one was needed.
    ///
    /// - Parameters:
    ///   - subject: what the code serves, for the error.
    ///   - owner: whose code it is, for the error.
    ///   - isCancelledWithCaller: whether the code is cancelled when its caller is; `false` for code that serves others as well.
    ///   - body: the code.
    /// - Throws: as ``run(_:of:_:)``.
    @MainActor
    public func runOnMain<R: Sendable>(
        _ subject: String, of owner: String, isCancelledWithCaller: Bool = true,
        _ body: @escaping @MainActor @Sendable () async throws -> R
    ) async throws -> R {
        let (outcome, stopwatch) = (FirstOutcome<R>(), Stopwatch(limit, clock: clock, within: Stopwatch.current))
        let work = Task.immediate { @MainActor in
            let result: Result<R, any Error>
            do {
                result = .success(try await Stopwatch.$current.withValue(stopwatch) { try await body() })
            } catch {
                result = .failure(error)
            }
            stopwatch.stop()
            outcome.settle(result)
        }
        if let result = outcome.known { return try result.get() }
        return try await self.outcome(
            of: work, outcome, stopwatch, subject, of: owner, isCancelledWithCaller: isCancelledWithCaller)
    }

    private func outcome<R: Sendable>(
        of work: Task<Void, Never>, _ outcome: FirstOutcome<R>, _ stopwatch: Stopwatch, _ subject: String,
        of owner: String, isCancelledWithCaller: Bool
    ) async throws -> R {
        stopwatch.start {
            let detail = "\(owner) had \(limit.spelt)"
            outcome.settle(.failure(AtriumError(.deadlineExceeded, subject, detail: detail)))
            // What the code does when it is cancelled may block as well, and not here, where others wait for their time.
            DispatchQueue(label: "atrium.cancelling").async { work.cancel() }
        }
        return try await withTaskCancellationHandler {
            try await outcome.value()
        } onCancel: {
            if isCancelledWithCaller { work.cancel() }
        }
    }
}

extension Duration {
    /// `30 seconds`, `1 second`, `0.5 seconds`.
    var spelt: String {
        let (whole, fraction) = components
        let seconds = fraction == 0 ? "\(whole)" : "\(Double(whole) + Double(fraction) / 1e18)"
        return seconds == "1" ? "1 second" : "\(seconds) seconds"
    }
}
