/// The rate of an operation over its last seconds.
struct ProgressRate {
    private var samples: [(time: Duration, done: Int)] = []
    /// The time over which the rate is computed.
    private static let window = Duration.seconds(5)
    /// The time between two samples.
    private static let step = Duration.milliseconds(200)

    /// Adds the amount that is done at a time. An operation that begins again loses its samples.
    mutating func add(_ done: Int, at time: Duration) {
        let done = max(0, done)
        if let last = samples.last {
            if done < last.done { samples = [] }
            guard samples.isEmpty || time - last.time >= Self.step else { return }
        }
        samples.append((time, done))
        while samples.count > 2, time - samples[1].time >= Self.window { samples.removeFirst() }
    }

    /// Returns the amount per second; `nil` in the first second.
    func perSecond(at time: Duration) -> Double? {
        guard let first = samples.first, let last = samples.last else { return nil }
        let seconds = (time - first.time) / .seconds(1)
        return seconds >= 1 ? Double(last.done - first.done) / seconds : nil
    }
}
