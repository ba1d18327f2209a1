import PluginCore
import Testing

@testable import AppScreens

@Suite("The store", .tags(.small))
struct StoreScreenTests {
    static func item(
        _ name: String, _ state: StoreItem.State = .available, summary: String = "A summary", minor: Int = 0
    ) -> StoreItem {
        let identifier = "org.example.\(name.lowercased().replacing(" ", with: "-"))"
        let identity = BundleIdentity(
            identifier: BundleIdentifier(stringLiteral: identifier),
            version: SemanticVersion(major: 1, minor: minor, patch: 0))
        return StoreItem(
            Manifest(identity: identity, name: name, summary: summary, kind: .app, entry: nil), size: 2_000,
            state: state)
    }

    private func lines(
        _ store: inout StoreScreen, columns: Int = 80, rows: Int = 14, showsImages: Bool = false
    ) -> [String] {
        var styles = ScreenStyles()
        styles.showsImages = showsImages
        var canvas = Canvas(columns: columns, rows: rows)
        store.draw(on: &canvas, in: canvas.bounds, styles)
        return canvas.lines
    }

    private func store(_ items: [StoreItem]) -> StoreScreen {
        var store = StoreScreen()
        store.update(items)
        return store
    }

    @Test("Tiles are three in a row with icon, name, version, state and progress")
    func tiles() {
        var store = store([
            Self.item("Shop", .installed), Self.item("Notes", .downloading(done: 500, total: 1_000)),
            Self.item("Mail", .updatable(to: "1.1.0")), Self.item("Old", .blocked("It crashed")),
        ])
        #expect(
            lines(&store) == [
                " Search:                                                              4 plugins", "",
                "┏━━━━━━━━━━━━━━━━━━━━━━━━┓┌────────────────────────┐┌────────────────────────┐",
                "┃  S   Shop              ┃│  N   Notes             ││  M   Mail              │",
                "┃      1.0.0 · installed ┃│      1.0.0 · 50 %      ││      1.0.0 · → 1.1.0   │",
                "┃ A summary              ┃│ ███████████░░░░░░░░░░░ ││ A summary              │",
                "┗━━━━━━━━━━━━━━━━━━━━━━━━┛└────────────────────────┘└────────────────────────┘",
                "┌────────────────────────┐",
                "│  O   Old               │",
                "│      1.0.0 · cannot b… │",
                "│ It crashed             │",
                "└────────────────────────┘", "", "",
            ])
    }

    @Test("A tile shows the bundle's icon, and letters where there is none or the terminal has no colors for it")
    func icons() throws {
        let items = [Self.item("Shop", .installed), Self.item("Notes")]
        var store = store(items)
        #expect(lines(&store)[3].hasPrefix("┃  S   Shop"))
        #expect(store.missingIcons.isEmpty, "a terminal without colors needs no icons")
        #expect(lines(&store, showsImages: true)[3].hasPrefix("┃  S   Shop"))
        #expect(store.missingIcons == items)
        store.update([(items[0], ImageCells(icon: SamplePNG.colors)), (items[1], nil)])
        let drawn = lines(&store, showsImages: true)
        #expect(drawn[3].hasPrefix("┃ ▀▀▀▀ Shop              ┃│  N   Notes"), "\(drawn)")
        #expect(drawn[4].hasPrefix("┃ ▀▀▀▀ 1.0.0"))
        #expect(store.missingIcons.isEmpty)
        #expect(lines(&store)[3].hasPrefix("┃  S   Shop"))
    }

    @Test("Of a thousand bundles, only the icons of visible tiles are asked for, and those of a new version again")
    func visibleIcons() {
        var store = store((0..<1_000).map { Self.item("P\($0)") })
        _ = lines(&store, showsImages: true)
        #expect(store.missingIcons.map(\.manifest.name) == (0..<6).map { "P\($0)" })
        store.update(store.missingIcons.map { ($0, ImageCells(icon: SamplePNG.colors)) })
        _ = store.handle(.down)
        _ = store.handle(.down)
        _ = lines(&store, showsImages: true)
        #expect(store.missingIcons.map(\.manifest.name) == ["P6", "P7", "P8"])
        store.update([Self.item("P0"), Self.item("P1", minor: 1)])
        _ = lines(&store, showsImages: true)
        #expect(store.missingIcons.map(\.manifest.name) == ["P1"])
    }

    @Test(
        "A file that is no image or is too large is no icon",
        arguments: [
            [], [1, 2, 3], Array(SamplePNG.colors.dropLast(40)),
            SamplePNG.colors + [UInt8](repeating: 0, count: 1 << 20),
        ])
    func unusableIcons(png: [UInt8]) { #expect(ImageCells(icon: png) == nil) }

    @Test("A narrow terminal has fewer tiles in a row", arguments: [(80, 3), (74, 2), (49, 1), (20, 1)])
    func narrow(columns: Int, perRow: Int) {
        var store = store((0..<9).map { Self.item("P\($0)") })
        #expect(lines(&store, columns: columns)[2].count { $0 == "┌" || $0 == "┏" } == perRow)
    }

    @Test("Typing searches names, identifiers and summaries, and Escape ends the search before it leaves")
    func searches() {
        var store = store([Self.item("Shop"), Self.item("Notes", summary: "Texts to keep"), Self.item("Mail")])
        for letter in "TEXT" { #expect(store.handle(.character(letter)) == nil) }
        #expect(store.selected?.manifest.name == "Notes")
        #expect(lines(&store)[0].contains("1 plugin"))
        #expect(store.handle(.character("x")) == nil)
        #expect(lines(&store)[2] == " Nothing matches.")
        #expect(store.handle(.escape) == nil)
        #expect(store.handle(.escape) == .closeStore)
    }

    @Test(
        "Enter does what the state calls for",
        arguments: [
            (StoreItem.State.available, ScreenCommand?.some(.install("org.example.shop"))),
            (.updatable(to: "2.0.0"), .install("org.example.shop")), (.failed("why"), .install("org.example.shop")),
            (.installed, .open("org.example.shop")), (.staged("2.0.0"), .open("org.example.shop")),
            (.blocked("why"), .showDetails("org.example.shop")), (.installing, nil), (.waiting, nil),
        ])
    func enter(state: StoreItem.State, command: ScreenCommand?) {
        var store = store([Self.item("Shop", state)])
        #expect(store.handle(.enter) == command)
    }

    @Test("The arrow keys walk over all rows, and the selection stays visible")
    func walks() {
        var store = store((0..<1_000).map { Self.item("P\($0)") })
        _ = lines(&store)
        for _ in 0..<500 {
            _ = store.handle(.down)
            #expect(lines(&store).contains { $0.contains("┏") })
        }
        #expect(store.selected?.manifest.name == "P999")
        _ = store.handle(.home)
        _ = store.handle(.pageDown)
        #expect(store.selected?.manifest.name == "P6")
    }

    @Test("A change under way is shown when the catalog is read again, and the selection stays")
    func keepsChanges() {
        var store = store([Self.item("A"), Self.item("B")])
        _ = store.handle(.right)
        let changes = ["org.example.b": StoreItem.State.downloading(done: 1, total: 2)]
        store.update([Self.item("First"), Self.item("A"), Self.item("B")], changes: changes)
        #expect(store.selected?.manifest.name == "B" && store.selected?.state == .downloading(done: 1, total: 2))
        store.update([Self.item("B", .installed)])
        #expect(store.selected?.state == .installed)
    }

    @Test("The mouse selects a tile, and chooses it with the second press")
    func mouse() {
        var store = store([Self.item("A"), Self.item("B")])
        #expect(store.press(tile: 1) == nil)
        #expect(store.press(tile: 1) == .install("org.example.b"))
    }
}
