import Synchronization

/// The progress of a download, reported some times a second.
final class ProgressMeter: Sendable {
    private struct State {
        var samples: [(time: ContinuousClock.Instant, received: Int64)] = []
        var mirror: String?
        var attempt = 0
    }

    private let total: Int64
    private let report: @Sendable (DownloadProgress) -> Void
    private let state = Mutex(State())
    /// The time between two reports.
    private static let interval = Duration.milliseconds(200)
    /// The number of reports from which the rate is computed: five seconds.
    private static let count = 25

    init(total: Int64, report: @escaping @Sendable (DownloadProgress) -> Void) {
        self.total = total
        self.report = report
    }

    /// Notes that another attempt begins.
    func begin(_ mirror: String, attempt: Int) {
        state.withLock { ($0.mirror, $0.attempt) = (mirror, attempt) }
    }

    /// Notes the number of bytes that are there.
    func update(_ received: Int64, at time: ContinuousClock.Instant = .now) {
        let progress: DownloadProgress? = state.withLock { state in
            if let last = state.samples.last, last.received <= received {
                guard last.time.duration(to: time) >= Self.interval else { return nil }
            } else {
                // The first report, or the first one after a start from the beginning.
                state.samples = []
            }
            return Self.progress(&state, received, total, time)
        }
        if let progress { report(progress) }
    }

    /// Reports that the file is there.
    func finish(at time: ContinuousClock.Instant = .now) {
        report(state.withLock { Self.progress(&$0, total, total, time) })
    }

    private static func progress(
        _ state: inout State, _ received: Int64, _ total: Int64, _ time: ContinuousClock.Instant
    ) -> DownloadProgress {
        state.samples.append((time, received))
        if state.samples.count > count { state.samples.removeFirst() }
        let first = state.samples[0]
        let seconds = first.time.duration(to: time) / .seconds(1)
        return DownloadProgress(
            received: received, total: total,
            bytesPerSecond: seconds > 0 ? Double(received - first.received) / seconds : nil, mirror: state.mirror,
            attempt: state.attempt)
    }
}
