import PluginCore
import Testing

@testable import AppScreens

@Suite("A page as a screen", .tags(.small))
struct PageScreenTests {
    private func lines(_ page: inout PageScreen, columns: Int = 40, rows: Int = 12) -> [String] {
        var canvas = Canvas(columns: columns, rows: rows)
        let area = canvas.bounds.inset(columns: 1)
        page.draw(on: &canvas, in: area, isActive: true, ScreenStyles()) { .item($0) }
        return canvas.lines.map { $0.hasPrefix(" ") ? String($0.dropFirst()) : $0 }
    }

    @Test("A long text is wrapped at words, and a value below its own beginning")
    func wraps() {
        let content: [PageElement] = [.text("one two three four"), .field(label: "To", value: "five six seven")]
        var page = PageScreen(title: "", content: content, actions: [])
        #expect(lines(&page, columns: 14, rows: 5) == ["one two", "three four", "To: five six", "    seven", ""])
    }

    @Test("The selection moves over actions, and numbers choose directly")
    func selects() {
        var page = PageScreen(
            title: "", content: [], actions: ["a", "b", "c"].map { PageAction.Description($0, title: $0) })
        _ = lines(&page)
        #expect(page.handle(.enter)?.action.identifier == "a")
        #expect(page.handle(.down) == nil)
        #expect(page.handle(.enter)?.action.identifier == "b")
        #expect(page.handle(.character("3"))?.action.identifier == "c")
        #expect(page.handle(.character("4")) == nil)
        #expect(page.press(item: 2)?.action.identifier == "c")
        #expect(page.selection == 2)
    }

    @Test("Each line of a long page can be reached, and marks show that there is more")
    func scrolls() {
        let rows = (1...60).map { PageElement.text("line \($0)") }
        var page = PageScreen(title: "", content: rows, actions: [PageAction.Description("go", title: "Go")])
        var seen: Set<String> = []
        for _ in 0..<70 {
            let shown = lines(&page, columns: 20, rows: 5)
            seen.formUnion(shown.map { $0.split(separator: " ").prefix(2).joined(separator: " ") })
            _ = page.handle(.down)
        }
        #expect((1...60).allSatisfy { seen.contains("line \($0)") })
        #expect(lines(&page, columns: 20, rows: 5).first?.hasSuffix("▲") == true)
        _ = page.handle(.home)
        #expect(lines(&page, columns: 20, rows: 5).last?.hasSuffix("▼") == true)
        _ = page.handle(.end)
        #expect(page.handle(.enter)?.action.identifier == "go")
    }

    @Test("Rows with actions can be chosen before the actions, with their own input")
    func rows() {
        let rows = [
            PageRow("Tea", detail: "3.50", action: "open", input: ["id": "1"]), PageRow("Sold out"),
            PageRow("Milk", action: "open", input: ["id": "2"]),
        ]
        var page = PageScreen(
            title: "", content: [.list(rows)], actions: [PageAction.Description("cart", title: "Cart")])
        #expect(lines(&page, rows: 5) == ["› Tea       3.50", "• Sold out", "2 Milk", "", "  3 Cart"])
        _ = page.handle(.down)
        let chosen = page.handle(.enter)
        #expect(chosen?.action.identifier == "open" && chosen?.input == ["id": "2"])
        #expect(page.handle(.character("1"))?.input == ["id": "1"])
        #expect(page.handle(.character("3"))?.action.identifier == "cart")
    }

    @Test("Sections, progress and images are drawn, and unknown elements are left out")
    func moreElements() {
        var page = PageScreen(
            title: "",
            content: [
                .section(title: "Load", [.progress(label: "Disk", fraction: 0.5), .text("half")]),
                .image(PageImage(png: [], text: "A lamp")), .unknown(kind: "video"),
                .progress(label: "Waiting", fraction: nil),
            ], actions: [])
        let drawn = ["Load", "  Disk", "  ██████░░░░░░ 50 %", "  half", "[A lamp]", "Waiting", "…"]
        #expect(lines(&page, columns: 22, rows: 7) == drawn)
    }

    @Test("An image is drawn as half blocks in colors, and as its text where it cannot be")
    func images() {
        var styles = ScreenStyles()
        styles.showsImages = true
        let image = PageImage(png: SamplePNG.colors, text: "Colors")
        let broken = PageImage(png: [1], text: "Broken")
        let page = PageScreen(title: "", content: [.image(image), .image(broken)], actions: [])
        let lines = PageLines(page, width: 40, styles).lines
        #expect(lines.last?.parts.map(\.text) == ["[Broken]"])
        #expect(lines.first?.parts.first?.text.hasPrefix("▀") == true)
        #expect(lines.first?.parts.first?.style.background != nil)
        #expect(PageLines(page, width: 40, ScreenStyles()).lines.first?.parts.map(\.text) == ["[Colors]"])
    }

    @Test("New content keeps the selection")
    func keepsSelection() {
        let actions = ["a", "b"].map { PageAction.Description($0, title: $0) }
        var page = PageScreen(title: "", content: [], actions: actions)
        _ = lines(&page)
        _ = page.handle(.down)
        var updated = PageScreen(title: "", content: [.text("new")], actions: actions, after: page)
        #expect(lines(&updated)[3] == "› 2 b")
        var shorter = PageScreen(title: "", content: [], actions: [actions[0]], after: updated)
        #expect(lines(&shorter)[0] == "› 1 a")
        #expect(shorter.handle(.enter)?.action.identifier == "a")
    }
}
