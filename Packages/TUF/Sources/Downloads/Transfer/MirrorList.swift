/// The mirrors of a file, in order, with the pauses after failed attempts.
package struct MirrorList {
    /// The way in which an attempt failed.
    package enum Failure {
        /// Another attempt may succeed. The server may have named a time for it.
        case temporary(retryAfter: Duration?)
        /// Something arrived before the connection broke.
        case interrupted
        /// The mirror's answer to the request of a part makes no sense, so it is asked for the whole file.
        case wrongPart
        /// The content was put together from several parts and is wrong.
        case mixedContent
        /// The mirror does not have the file, or must not be used.
        case permanent
    }

    package enum Next: Equatable {
        case mirror(Int)
        case pause(until: ContinuousClock.Instant)
        case none
    }

    private struct Mirror {
        let address: String
        var failures = 0
        var isExcluded = false
        var sendsParts = true
        var hasMixedContent = false
        var readyAt: ContinuousClock.Instant?
    }

    private var mirrors: [Mirror]
    private let limits: DownloadLimits

    package init(_ addresses: [String], limits: DownloadLimits) {
        mirrors = addresses.map { Mirror(address: $0) }
        self.limits = limits
    }

    package func address(_ index: Int) -> String { mirrors[index].address }
    func sendsParts(_ index: Int) -> Bool { mirrors[index].sendsParts }

    /// Returns the first mirror that may be tried now, or the time at which there is one.
    package func next(at now: ContinuousClock.Instant) -> Next {
        let rest = mirrors.indices.filter { !mirrors[$0].isExcluded }
        if let ready = rest.first(where: { mirrors[$0].readyAt ?? now <= now }) { return .mirror(ready) }
        return rest.compactMap { mirrors[$0].readyAt }.min().map { .pause(until: $0) } ?? .none
    }

    /// Notes a failed attempt at a mirror.
    ///
    /// - Parameter jitter: A random number from 0 to 1, so that many clients do not come back at the same time.
    package mutating func note(
        _ failure: Failure, of index: Int, at now: ContinuousClock.Instant, jitter: Double = .random(in: 0...1)
    ) {
        switch failure {
        case .interrupted:
            mirrors[index].failures = 0
        case .wrongPart where mirrors[index].sendsParts:
            mirrors[index].sendsParts = false
        case .mixedContent where !mirrors[index].hasMixedContent:
            mirrors[index].hasMixedContent = true
        case .permanent, .wrongPart, .mixedContent:
            mirrors[index].isExcluded = true
        case .temporary(let retryAfter):
            mirrors[index].failures += 1
            let pause = retryAfter ?? Self.pause(after: mirrors[index].failures, limits, jitter: jitter)
            mirrors[index].readyAt = now.advanced(by: max(.zero, pause))
            mirrors[index].isExcluded = mirrors[index].failures >= limits.attempts || pause > limits.longestPause
        }
    }

    /// Returns the pause after a number of failures: it doubles each time, and a random half of it is left out.
    package static func pause(after failures: Int, _ limits: DownloadLimits, jitter: Double) -> Duration {
        var pause = max(.zero, limits.firstPause)
        for _ in 1..<min(max(1, failures), 64) where pause < limits.longestPause { pause *= 2 }
        return min(pause, limits.longestPause) * (0.5 + 0.5 * min(max(jitter, 0), 1))
    }
}
