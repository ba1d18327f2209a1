import PluginCore
import PluginTestKit
import Testing

@Suite("The recorder of invalidations", .tags(.small), .timeLimit(.minutes(1)))
@MainActor
struct InvalidationRecorderTests {
    private final class EmptyPage: Page {
        let title = ""
        let content: [PageElement] = []
    }

    @Test("It counts the calls of its page, and waits for the next one")
    func counting() async {
        let page = EmptyPage()
        let recorder = InvalidationRecorder(of: page)
        #expect(recorder.count == 0)
        page.invalidate()
        page.invalidate()
        EmptyPage().invalidate()
        #expect(recorder.count == 2)
        await recorder.next()
        let waiting = Task { await recorder.next() }
        await Task.yield()
        page.invalidate()
        await waiting.value
        #expect(recorder.count == 3)
    }
}
