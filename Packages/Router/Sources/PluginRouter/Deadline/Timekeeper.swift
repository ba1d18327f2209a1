/// A clock of whatever kind, read as the time since it was taken into use.
struct Timekeeper: Sendable {
    private let read: @Sendable () -> Duration
    private let wait: @Sendable (Duration) async throws -> Void

    init(_ clock: some Clock<Duration>) {
        let start = clock.now
        read = { start.duration(to: clock.now) }
        wait = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// The time since it was taken into use.
    var now: Duration { read() }

    /// Returns when ``now`` has come so far.
    ///
    /// - Throws: when the task is cancelled.
    func sleep(until time: Duration) async throws {
        try await wait(time)
    }
}
