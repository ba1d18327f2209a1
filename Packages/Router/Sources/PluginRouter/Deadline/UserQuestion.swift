/// A question that a request asks the user.
public enum UserQuestion {
    /// Runs a closure while the deadlines of all code that waits for it are paused, because users may take any time to answer.
    public static func pausingDeadlines<R>(_ body: () async throws -> R) async rethrows -> R {
        try await PausableStopwatch.pausing(true, body)
    }
}
