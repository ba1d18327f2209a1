import PluginCore
import PluginTestKit
import Testing

@Suite("Fake navigator", .tags(.small))
@MainActor
struct FakeNavigatorTests {
    private final class Sheet: Page {
        let title: String
        var content: [PageElement] { [] }
        private(set) var timesClosed = 0

        init(_ title: String = "sheet") { self.title = title }

        func didClose() { timesClosed += 1 }
    }

    @Test("Dismissing a page removes all pages over it and resumes its presenter")
    func dismissal() async {
        let navigator = FakeNavigator(showing: Sheet("root"))
        let sheet = Sheet()
        let over = Sheet("over")
        async let answer = navigator.present(sheet)
        #expect(await navigator.presentedPage() === sheet)
        navigator.push(over)
        #expect(navigator.pages.map(\.title) == ["root", "sheet", "over"])
        navigator.dismiss(returning: 7)
        #expect(await answer as? Int == 7)
        #expect(navigator.pages.map(\.title) == ["root"])
        #expect([sheet.timesClosed, over.timesClosed] == [1, 1])
    }

    @Test("A presenter gets no value if the user leaves the page")
    func leaving() async {
        let navigator = FakeNavigator(showing: Sheet("root"))
        async let answer = navigator.present(Sheet())
        _ = await navigator.presentedPage()
        navigator.pop()
        #expect(await answer == nil)
    }

    @Test("The last page is never removed, and dismissing without a presented page has no effect")
    func lastPage() {
        let root = Sheet()
        let navigator = FakeNavigator(showing: root)
        navigator.pop()
        navigator.dismiss(returning: true)
        #expect(navigator.top === root)
        #expect(root.timesClosed == 0)
    }
}
