import PluginCore
import PluginTestKit
import Testing

@Suite("The recorder of invalidations", .tags(.small), .timeLimit(.minutes(1)))
@MainActor
struct InvalidationRecorderTests {
    private let page = EmptyPage()

    @Test("It counts the calls of its page, and waits for the next one")
    func counting() async throws {
        let recorder = InvalidationRecorder(of: page)
        #expect(recorder.count == 0)
        page.invalidate()
        page.invalidate()
        EmptyPage().invalidate()
        #expect(recorder.count == 2)
        try await recorder.next()
        let waiting = Task { try await recorder.next() }
        await Task.yield()
        page.invalidate()
        try await waiting.value
        #expect(recorder.count == 3)
    }

    @Test("A wait for a page that is not invalidated times out, and does not consume a later invalidation")
    func limit() async throws {
        let recorder = InvalidationRecorder(of: page)
        await #expect(throws: FixtureError.self) { try await recorder.next(within: .milliseconds(20)) }
        page.invalidate()
        try await recorder.next()
    }

    @Test("A wait ends with the error of cancellation if its task is canceled")
    func cancellation() async throws {
        let recorder = InvalidationRecorder(of: page)
        let waiting = Task { try await recorder.next() }
        await Task.yield()
        waiting.cancel()
        await #expect(throws: CancellationError.self) { try await waiting.value }
    }
}
