import PluginCore
import PluginTestKit
import Testing

@Suite("The fake navigator")
@MainActor
struct FakeNavigatorTests {
    private final class Sheet: Page {
        let title: String
        var content: [PageElement] { [] }
        private(set) var timesClosed = 0

        init(_ title: String = "sheet") {
            self.title = title
        }

        func didClose() { timesClosed += 1 }
    }

    @Test("keeps who presents waiting until the page is dismissed, with everything pushed over it")
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

    @Test("answers nothing when the user just leaves a presented page")
    func leaving() async {
        let navigator = FakeNavigator(showing: Sheet("root"))
        async let answer = navigator.present(Sheet())
        _ = await navigator.presentedPage()
        navigator.pop()
        #expect(await answer == nil)
    }

    @Test("keeps its last page, and does nothing when nothing is presented")
    func lastPage() {
        let root = Sheet()
        let navigator = FakeNavigator(showing: root)
        navigator.pop()
        navigator.dismiss(returning: true)
        #expect(navigator.top === root)
        #expect(root.timesClosed == 0)
    }
}
