/// A question to the user in the middle of a request.
public enum UserQuestion {
    /// Runs `body` while the deadlines of all code that waits for it stand still: a user takes as long as a user takes.
    public static func pausingDeadlines<R>(_ body: () async throws -> R) async rethrows -> R {
        try await Stopwatch.pausing(true, body)
    }
}
