import PluginCore
import PluginTestKit
import Testing

@Suite("The use of a terminal by screens", .tags(.large))
struct TerminalUseTests {
    private let scene: Scene

    init() async throws { scene = try await Scene(installed: Scene.shop) }

    @Test(
        "After a resize, the page is drawn for the new size: beside its list on a wide terminal, alone on a narrow one")
    func resize() async throws {
        try await TerminalWindow.run(scene.commandLine) { window in
            try await window.wait(for: "Gift card")
            try await window.press("2", until: "Price")
            for (columns, rows) in [(200, 60), (80, 24)] {
                try await window.resize(columns: columns, rows: rows)
                try await window.wait(
                    until: { PinnedScreen.matches($0, "product-\(columns)x\(rows)") }, "the page at \(columns)x\(rows)")
            }
            try await window.resize(columns: 10, rows: 3)
            try await window.wait(until: { $0.hasPrefix(" ‹ …") }, "the bar")
            try await window.resize(columns: 80, rows: 24)
            try await window.wait(until: { PinnedScreen.matches($0, "product-80x24") }, "the page again")
        }
    }

    @Test("A mouse selects a tile, opens it with the second press, scrolls, and goes back")
    func mouse() async throws {
        let terminal = ["/usr/bin/env", "TERM=xterm-256color"]
        try await TerminalWindow.run(terminal + scene.commandLine + ["store"], rows: 14) { window in
            try await window.wait(for: "Account")
            #expect(try await window.value(of: "mouse_sgr_flag") == "1")
            try await window.scrollDown(column: 40, row: 6)
            try await window.wait(until: { $0.contains("Shop") && !$0.contains("Account") }, "the second row of tiles")
            try await window.click(column: 40, row: 6)
            try await window.wait(until: { $0.contains("┃ ▀▀▀▀ Shop") }, "the selected tile")
            try await window.click(column: 40, row: 6)
            try await window.wait(for: "Gift card")
            let page = try await window.screen().split(separator: "\n", omittingEmptySubsequences: false)
            let row = try #require(page.firstIndex { $0.contains("Desk lamp") })
            try await window.click(column: 6, row: row)
            try await window.wait(until: { $0.hasPrefix(" ‹ Shop   Desk lamp") }, "the product")
            try await window.click(column: 2, row: 0)
            try await window.wait(until: { $0.hasPrefix(" ‹ Shop   Shop ") }, "the list")
        }
    }

    @Test("The widgets of the installed plugins are a page, and Esc leads back")
    func widgets() async throws {
        let scene = try await Scene(installed: Scene.shop, "com.example.app.stocks")
        try await TerminalWindow.run(scene.commandLine) { window in
            try await window.wait(for: "Gift card")
            try await window.press("t")
            let page = try await window.wait(for: "The watch list is empty.")
            #expect(page.contains("Today") && page.contains("Stocks"), "\(page)")
            try await window.press("Escape")
            try await window.wait(until: { !$0.contains("watch list") && $0.contains("q quit") }, "the page")
        }
    }

    @Test("A link leaves the app only after a question in a dialog")
    func leaving() async throws {
        let links = try RecordedLinks()
        try await TerminalWindow.run(scene.commandLine, environment: links.environment) { window in
            try await window.wait(for: "Gift card")
            for (path, answer) in [("no", "n"), ("yes", "y")] {
                try await window.open("https://example.com/\(path)")
                let question = try await window.wait(for: "Open it with the system's program for https links?")
                #expect(question.contains("Server: example.com"), "\(question)")
                try await window.press(answer)
                try await window.wait(
                    until: { screen in
                        !screen.contains("Server:") && !screen.contains("…") && (links.opened != nil) == (answer == "y")
                    }, "the end of the step")
                guard answer == "n" else { continue }
                try await window.wait(for: "was not passed on to the system")
                try await window.press("Enter")
                try await window.wait(until: { !$0.contains("[OK]") }, "the page")
            }
            try await window.press("q")
            #expect(try await window.status() == "0")
        }
        #expect(links.opened == "https://example.com/yes\n")
    }
}
