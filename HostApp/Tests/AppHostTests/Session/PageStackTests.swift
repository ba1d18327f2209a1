import PluginCore
import PluginRouter
import PluginRuntime
import Testing

@MainActor
@Suite("The stack of pages", .tags(.small), .timeLimit(.minutes(15)))
struct PageStackTests {
    private let stack = PageStack()

    private var titles: [String] { stack.pages.map(\.title) }

    /// Presents a page from a separate task and returns once the page is on the stack.
    private func present(_ page: StubPage) async -> Task<String?, Never> {
        let stack = stack
        let (shown, announce) = AsyncStream.makeStream(of: Void.self)
        stack.didChange = { announce.yield() }
        let presenting = Task { await stack.present(page) as? String }
        for await _ in shown { break }
        stack.didChange = {}
        return presenting
    }

    @Test("The page that was pushed last is shown, and popping stops at the first page")
    func pushAndPop() {
        let (home, item) = (StubPage("Home"), StubPage("Item"))
        stack.push(home)
        stack.push(item)
        #expect(stack.top === item)
        #expect(titles == ["Home", "Item"])

        stack.pop()
        stack.pop()
        #expect(titles == ["Home"])
        #expect((home.closings, item.closings) == (0, 1))
    }

    @Test("Pages beside the stack are listed first, and back leads to them from the last page of the stack")
    func beside() {
        let (tab, item) = (StubPage("Tab"), StubPage("Item"))
        stack.beside = [tab]
        stack.push(item)
        #expect(titles == ["Tab", "Item"])
        #expect(stack.titles == ["Item"])
        stack.pop()
        #expect(stack.stacked.isEmpty)
        #expect((tab.closings, item.closings) == (0, 1))
    }

    @Test("The stack knows the address of a page that the router shows, and none of a page above it")
    func address() throws {
        let address = try ResourceURI("app://shop")
        ShownAddress.$current.withValue(address) { stack.push(StubPage("Shop")) }
        #expect(stack.topAddress == address)
        stack.push(StubPage("Item"))
        #expect(stack.topAddress == nil)
        stack.pop()
        #expect(stack.topAddress == address)
    }

    @Test("Popping, dismissing and closing an empty stack have no effect")
    func empty() {
        stack.pop()
        stack.dismiss(returning: "x")
        stack.closeAll()
        #expect(stack.top == nil && stack.pages.isEmpty)
    }

    @Test("Dismissing a page returns the value to its presenter and removes the pages above")
    func dismissWithPagesAbove() async {
        let (home, ask, above) = (StubPage("Home"), StubPage("Ask"), StubPage("Above"))
        stack.push(home)
        let presenting = await present(ask)
        stack.push(above)
        #expect(titles == ["Home", "Ask", "Above"])
        #expect(stack.presentedCount == 1)

        stack.dismiss(returning: "yes")
        #expect(titles == ["Home"])
        #expect(stack.presentedCount == 0)
        #expect(await presenting.value == "yes")
        #expect((home.closings, ask.closings, above.closings) == (0, 1, 1))
    }

    @Test("Pages are closed from top to bottom before the presenter resumes")
    func orderOfClosing() async {
        var order: [String] = []
        let ask = StubPage("Ask", closing: { order.append("Ask") })
        let above = StubPage("Above", closing: { order.append("Above") })
        let presenting = await present(ask)
        stack.push(above)
        stack.dismiss(returning: nil)
        _ = await presenting.value
        #expect(order == ["Above", "Ask"])
    }

    @Test("Closing all pages closes each page once and resumes every presenter")
    func closeAll() async {
        let pages = ["Home", "Ask", "Above"].map { StubPage($0) }
        stack.push(pages[0])
        let presenting = await present(pages[1])
        stack.push(pages[2])
        stack.closeAll()
        stack.closeAll()
        #expect(await presenting.value == nil)
        #expect(pages.map(\.closings) == [1, 1, 1])
        #expect(stack.pages.isEmpty)
    }

    @Test("A page that was pushed twice is closed only when both entries are removed")
    func samePageTwice() {
        let (home, page) = (StubPage("Home"), StubPage("Page"))
        for page in [home, page, page] { stack.push(page) }
        stack.pop()
        #expect(page.closings == 0)
        stack.pop()
        #expect(page.closings == 1)
        for _ in 0..<2 { stack.push(page) }
        stack.closeAll()
        #expect(page.closings == 2)
    }

    @Test("A page that is pushed while another one closes stays on the stack")
    func pushWhileClosing() {
        let stack = stack
        let after = StubPage("After")
        stack.push(StubPage("Before", closing: { stack.push(after) }))
        stack.closeAll()
        #expect(titles == ["After"])
        #expect(after.closings == 0)
    }
}
