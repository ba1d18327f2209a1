import Downloads
import Testing

@Suite("The mirrors of a download", .tags(.small))
struct MirrorListTests {
    private let start = ContinuousClock.now
    private let limits = DownloadLimits()

    private func after(_ seconds: Double) -> ContinuousClock.Instant { start.advanced(by: .seconds(seconds)) }

    @Test("are tried in order, the first one again after its pause")
    func order() {
        var mirrors = MirrorList(["a", "b"], limits: limits)
        #expect(mirrors.next(at: start) == .mirror(0))
        mirrors.note(.temporary(retryAfter: nil), of: 0, at: start, jitter: 1)
        #expect(mirrors.next(at: start) == .mirror(1))
        mirrors.note(.temporary(retryAfter: .seconds(7)), of: 1, at: start)
        #expect(mirrors.next(at: start) == .pause(until: after(0.5)))
        #expect(mirrors.next(at: after(0.5)) == .mirror(0))
        mirrors.note(.permanent, of: 0, at: after(0.5))
        #expect(mirrors.next(at: after(0.6)) == .pause(until: after(7)))
        mirrors.note(.permanent, of: 1, at: after(7))
        #expect(mirrors.next(at: after(8)) == .none)
    }

    @Test("are excluded after some failures in a row")
    func failures() {
        var mirrors = MirrorList(["a"], limits: limits)
        for _ in 0..<limits.attempts - 1 { mirrors.note(.temporary(retryAfter: nil), of: 0, at: start) }
        mirrors.note(.interrupted, of: 0, at: start)
        for _ in 0..<limits.attempts - 1 { mirrors.note(.temporary(retryAfter: nil), of: 0, at: start) }
        #expect(mirrors.next(at: after(100)) == .mirror(0))
        mirrors.note(.temporary(retryAfter: nil), of: 0, at: start)
        #expect(mirrors.next(at: after(100)) == .none)
    }

    @Test("have pauses that double up to a limit, of which a random half is left out")
    func pauses() {
        let pauses = (1...9).map { MirrorList.pause(after: $0, limits, jitter: 1) / .seconds(1) }
        #expect(pauses == [0.5, 1, 2, 4, 8, 16, 30, 30, 30])
        #expect(MirrorList.pause(after: 3, limits, jitter: 0) == .seconds(1))
        #expect(MirrorList.pause(after: 3, limits, jitter: 0.5) == .seconds(1.5))
        #expect(MirrorList.pause(after: .max, limits, jitter: 1) == .seconds(30))
        #expect(MirrorList.pause(after: 0, limits, jitter: 1) == .milliseconds(500))
    }

    @Test("are asked for the whole file after a wrong part, once, and again after mixed content, once")
    func secondChances() {
        for failure in [MirrorList.Failure.wrongPart, .mixedContent] {
            var mirrors = MirrorList(["a"], limits: limits)
            mirrors.note(failure, of: 0, at: start)
            #expect(mirrors.next(at: start) == .mirror(0))
            mirrors.note(failure, of: 0, at: start)
            #expect(mirrors.next(at: start) == .none)
        }
    }
}
