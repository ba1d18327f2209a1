/// A latch that suspends its callers until it is opened and reports the first arrival.
final class AsyncGate: Sendable {
    private let opened = AsyncStream<Void>.makeStream()
    private let arrived = AsyncStream<Void>.makeStream()

    var hold: @Sendable () async -> Void {
        { [self] in
            arrived.continuation.yield()
            for await _ in opened.stream {}
        }
    }

    func open() { opened.continuation.finish() }

    func arrival() async {
        for await _ in arrived.stream { return }
    }
}
