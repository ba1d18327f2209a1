@testable import AppScreens
import PluginCore
import PluginRuntime
import Testing

@testable import AppHost

@MainActor
@Suite("The pages of a session as screens", .tags(.small), .timeLimit(.minutes(15)))
struct PageBookTests {
    private let stack = PageStack()
    private let session: Session
    private let book: PageBook

    init() {
        session = Session(router: StubRouter { _ in .shown }, mediator: StubMediator(), stack: stack) { _ in }
        book = PageBook(session)
    }

    private func refreshed() -> AppScreens {
        var screens = AppScreens(name: "App")
        book.refresh(&screens)
        return screens
    }

    @Test("The visible page is shown, and the one below it as where back leads")
    func pages() {
        stack.push(StubPage("Home"))
        #expect(refreshed().page?.title == "Home")
        #expect(refreshed().below == nil)
        stack.push(StubPage("Item"))
        #expect(refreshed().page?.title == "Item")
        #expect(refreshed().below?.title == "Home")
        #expect(!refreshed().isModal)
    }

    @Test("The page of a tab lies below all others")
    func root() {
        book.root = StubPage("Tab")
        #expect(refreshed().page?.title == "Tab")
        stack.push(StubPage("Item"))
        #expect(refreshed().below?.title == "Tab")
        #expect(book.list?.title == "Tab")
    }

    @Test("A page that comes back has the selection that it had before")
    func selection() {
        let home = StubPage("Home", actions: ["a", "b"].map { PageAction.Description($0, title: $0) })
        stack.push(home)
        var screens = refreshed()
        _ = screens.draw(columns: 40, rows: 12)
        _ = screens.handle(.key(.down))
        stack.push(StubPage("Item"))
        book.refresh(&screens)
        stack.pop()
        book.refresh(&screens)
        #expect(screens.page?.selection == 1)
    }
}
