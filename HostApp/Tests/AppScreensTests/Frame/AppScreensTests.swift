import PluginCore
import Testing

@testable import AppScreens

@Suite("All screens of an app", .tags(.small))
struct AppScreensTests {
    private func page(_ title: String, _ actions: String...) -> PageScreen {
        PageScreen(
            title: title, content: [.text("About \(title)")],
            actions: actions.map { PageAction.Description($0, title: $0) })
    }

    private func screens(_ page: PageScreen, over below: PageScreen? = nil) -> AppScreens {
        var screens = AppScreens(name: "Sample")
        (screens.page, screens.below) = (page, below)
        return screens
    }

    @Test("The navigation bar shows where back leads, and Escape goes there")
    func back() {
        var screens = screens(page("Item"), over: page("Shop"))
        let lines = screens.draw(columns: 60, rows: 10).lines
        #expect(lines[0] == " ‹ Shop   Item                                       Sample")
        #expect(screens.handle(.key(.escape)) == .back)
        #expect(screens.handle(.press(column: 2, row: 0)) == .back)
    }

    @Test("A wide terminal shows the list beside the chosen page, and each has the keys in turn")
    func split() {
        var screens = screens(page("Item", "buy"), over: page("Shop", "choose"))
        let lines = screens.draw(columns: 120, rows: 10).lines
        #expect(lines[2].hasPrefix(" About Shop") && lines[2].contains("│ About Item"))
        #expect(screens.handle(.key(.enter)) == .perform(action: "buy", input: [:]))
        #expect(screens.handle(.key(.left)) == nil)
        _ = screens.draw(columns: 120, rows: 10)
        #expect(screens.handle(.key(.enter)) == .perform(action: "choose", input: [:], isInList: true))
        _ = screens.draw(columns: 80, rows: 10)
        #expect(screens.handle(.key(.enter)) == .perform(action: "buy", input: [:]))
    }

    @Test("A presented page lies over the page below it, whose actions have no effect")
    func modal() {
        var screens = screens(page("Sign in", "ok"), over: page("Shop", "choose"))
        screens.isModal = true
        let canvas = screens.draw(columns: 80, rows: 20)
        #expect(canvas.lines[0].hasPrefix(" Shop"))
        #expect(canvas.lines.contains { $0.contains("┏━ Sign in ━") })
        #expect(screens.handle(.key(.enter)) == .perform(action: "ok", input: [:]))
        #expect(screens.handle(.press(column: 3, row: 4)) == nil)
    }

    @Test("The arrow keys and the mouse choose a tab")
    func tabs() {
        var screens = screens(page("Shop"))
        screens.tabs = ["Shop", "Orders", "Account"]
        let lines = screens.draw(columns: 60, rows: 10).lines
        #expect(lines[8] == "       [Shop]              Orders             Account")
        #expect(screens.handle(.key(.right)) == .selectTab(1))
        #expect(screens.handle(.key(.left)) == .selectTab(2))
        #expect(screens.handle(.press(column: 50, row: 8)) == .selectTab(2))
    }

    @Test("A dialog gets all keys, and a press beside it has no effect")
    func dialog() {
        var screens = screens(page("Shop", "buy"))
        screens.show(.message("Error", ["It failed"], isError: true))
        _ = screens.draw(columns: 60, rows: 12)
        #expect(screens.handle(.press(column: 1, row: 4)) == nil)
        #expect(screens.draw(columns: 60, rows: 12).lines.joined().contains("It failed"))
        #expect(screens.handle(.key(.character("q"))) == nil)
        #expect(screens.handle(.key(.enter)) == nil)
        #expect(!screens.draw(columns: 60, rows: 12).lines.joined().contains("It failed"))
        #expect(screens.handle(.key(.character("q"))) == .quit)
    }

    @Test("An action with fields asks for them first")
    func fields() {
        let action = PageAction.Description("find", title: "Find", fields: [PageField("text", label: "Text")])
        var screens = screens(PageScreen(title: "Shop", content: [], actions: [action]))
        _ = screens.draw(columns: 60, rows: 12)
        #expect(screens.handle(.key(.enter)) == nil)
        #expect(screens.draw(columns: 60, rows: 12).cursor != nil)
        for key in [Key.character("x"), .enter] {
            let command = screens.handle(.key(key))
            #expect(command == (key == .enter ? .perform(action: "find", input: ["text": "x"]) : nil))
        }
    }

    @Test("Removing a plugin is confirmed first")
    func confirms() {
        var screens = AppScreens(name: "Sample")
        screens.isStoreShown = true
        let details = PageScreen(
            title: "Shop", content: [], actions: [PageAction.Description("uninstall", title: "Uninstall")])
        screens.details = ("org.example.shop", details)
        _ = screens.draw(columns: 60, rows: 12)
        #expect(screens.handle(.key(.enter)) == nil)
        #expect(screens.handle(.key(.character("n"))) == nil)
        #expect(screens.handle(.key(.enter)) == nil)
        #expect(screens.handle(.key(.character("y"))) == .uninstall("org.example.shop"))
    }

    @Test("Downloads are shown on every screen, and a notice until the next key")
    func status() {
        var screens = screens(page("Shop"))
        screens.changes = ["notes ↓ 43 %"]
        screens.notice = "Saved"
        let lines = screens.draw(columns: 60, rows: 8).lines
        #expect(lines[7] == " Saved                                         notes ↓ 43 %")
        _ = screens.handle(.key(.down))
        #expect(screens.draw(columns: 60, rows: 8).lines[7].hasPrefix(" ↑↓ choose"))
    }

    @Test("A screen of any size is drawn without a trap", arguments: [1, 2, 5, 19, 121])
    func sizes(columns: Int) {
        var screens = screens(page("Item", "a"), over: page("Shop", "b"))
        screens.tabs = ["A", "B"]
        for rows in [1, 2, 3, 9] {
            for isModal in [false, true] {
                screens.isModal = isModal
                #expect(screens.draw(columns: columns, rows: rows).lines.count == rows)
            }
        }
        screens.isStoreShown = true
        screens.store.update([StoreScreenTests.item("A")])
        screens.show(.address())
        for rows in [1, 2, 3, 9] { #expect(screens.draw(columns: columns, rows: rows).lines.count == rows) }
    }
}
