import PluginCore
import PluginTestKit
import Testing

@Suite("The app on a terminal", .tags(.large))
struct ScreenTests {
    /// The size of a terminal, with its name in the names of pinned screens.
    struct Size: Sendable, CustomTestStringConvertible {
        let columns: Int
        let rows: Int
        var testDescription: String { "\(columns)x\(rows)" }
        static let all = [Size(columns: 80, rows: 24), Size(columns: 200, rows: 60)]
    }

    private func run(
        _ scene: Scene, _ words: String..., size: Size = Size.all[0], environment: [String: String] = [:],
        _ body: (TerminalWindow) async throws -> Void
    ) async throws {
        try await TerminalWindow.run(
            scene.commandLine + words, columns: size.columns, rows: size.rows, environment: environment, body)
    }

    @Test("hostapp opens the app's first page, and a chosen product beside or above it", arguments: Size.all)
    func pages(size: Size) async throws {
        let scene = try await Scene(installed: Scene.shop)
        try await run(scene, size: size) { window in
            try await window.wait(until: { $0.contains("Gift card") && !$0.contains("…") }, "the page")
            try await PinnedScreen.expect("start-\(size.testDescription)", in: window)
            try await window.press("2")
            try await window.wait(until: { $0.contains("Price") && !$0.contains("…") }, "the product")
            try await PinnedScreen.expect("product-\(size.testDescription)", in: window)
            try await window.press("Escape")
            try await window.wait(until: { !$0.contains("Price") && !$0.contains("…") }, "the first page")
            try await window.press("q")
            #expect(try await window.status() == "0")
        }
    }

    @Test("The store shows tiles, three in a row, and details with permissions and size", arguments: Size.all)
    func store(size: Size) async throws {
        let scene = try await Scene(installed: Scene.shop)
        try await run(scene, "store", size: size) { window in
            try await window.wait(
                until: { $0.contains("▀▀▀▀") && $0.hasPrefix(" ‹ Shop") && !$0.contains("Opening") },
                "the store with icons")
            try await PinnedScreen.expect("store-\(size.testDescription)", in: window)
            try await window.type("photo")
            try await window.wait(for: "1 plugin")
            try await window.press("Tab", until: "Permissions")
            try await PinnedScreen.expect("details-\(size.testDescription)", in: window)
        }
    }

    @Test("A plugin is found as one types, installed with Enter, and opened with Enter; no other one is installed")
    func installs() async throws {
        let scene = try Scene()
        try await run(scene, "store") { window in
            try await window.wait(for: "Lantern")
            try await window.type("notes")
            try await window.wait(for: "1 plugin")
            try await window.press("Enter", until: "com.example.app.notes was installed")
            try await window.wait(for: "· installed")
            try await window.press("Enter", until: "There are no notes yet.")
        }
        let installed = try await scene.run("list").stdout
        #expect(installed.contains("com.example.app.notes") && !installed.contains(Scene.shop), "\(installed)")
    }

    @Test("A page that is presented for a result lies over the page below, and its form gives the result")
    func modal() async throws {
        let scene = try await Scene(installed: Scene.shop, Scene.orders, Scene.account)
        try await run(scene) { window in
            try await window.wait(for: "Gift card")
            try await window.open("app://orders")
            try await window.wait(until: { $0.contains("Sign in") && !$0.contains("Opening") }, "the form")
            try await PinnedScreen.expect("modal", in: window)
            try await window.press("1", until: "Cancel")
            try await window.type("Ada")
            try await window.press("Enter")
            try await window.wait(until: { $0.hasPrefix(" ‹ Shop   Orders") }, "the orders")
        }
    }

    @Test("An error is shown with its remedy, and the page is still there afterwards")
    func error() async throws {
        let scene = try await Scene(installed: Scene.shop)
        try await run(scene) { window in
            try await window.wait(for: "Gift card")
            try await window.open("app://nowhere")
            let error = try await window.wait(for: "[OK]")
            #expect(error.contains("no plugin handles \"app://nowhere\""))
            #expect(error.contains("install a plugin that handles it"))
            try await window.press("Enter")
            try await window.wait(until: { $0.contains("Gift card") && !$0.contains("[OK]") }, "the page")
        }
    }

    @Test(
        "The addresses of \"tabs\" are tabs, with the chosen page beside its list on a wide terminal",
        arguments: Size.all)
    func tabs(size: Size) async throws {
        let scene = try await Scene(installed: Scene.shop, "com.example.app.notes")
        let folder = try ThrowawayFolder()
        let composition = try folder.write(
            """
            {"formatVersion": 1, "name": "Tabbed", "tabs": ["app://shop", "app://notes"],
             "bundles": [{"uri": "shop", "pkg": "com.example.app.shop"}]}
            """, to: "bundle.json")
        try await run(scene, "--composition", composition.string, size: size) { window in
            try await window.wait(until: { $0.contains("[Shop]") && !$0.contains("…") }, "the first tab")
            try await window.press("2")
            try await window.wait(until: { $0.contains("Price") && !$0.contains("…") }, "the product")
            try await PinnedScreen.expect("tabs-\(size.testDescription)", in: window)
            try await window.press("Escape")
            try await window.wait(until: { !$0.contains("Price") && !$0.contains("…") }, "the list")
            try await window.press("Right")
            try await window.wait(until: { $0.contains("[Notes]") && $0.contains("no notes yet") }, "the second tab")
            try await window.press("Right")
            try await window.wait(until: { $0.contains("[Shop]") && $0.contains("Gift card") }, "the first tab again")
        }
    }

    @Test("With NO_COLOR, nothing has a color, tiles show letters, and the selection is visible all the same")
    func noColor() async throws {
        let scene = try await Scene(installed: Scene.shop)
        for (environment, hasColor) in [(["NO_COLOR": "1"], false), ([:], true)] {
            try await run(scene, "store", environment: environment) { window in
                try await window.wait(
                    until: {
                        $0.contains(hasColor ? "▀▀▀▀" : "Lantern") && $0.hasPrefix(" ‹ Shop") && !$0.contains("Opening")
                    }, "the store")
                if !hasColor { try await PinnedScreen.expect("store-letters-80x24", in: window) }
                try await window.wait(for: "┏")
                let screen = try await window.screen(styled: true)
                #expect(screen.contains(#/\u{1B}\[[0-9;]*[34][0-8](;5;[0-9]+)?m/#) == hasColor, "\(screen)")
            }
        }
    }

    @Test("A pipe gets what it got before: the help, and the list of the catalog")
    func plain() async throws {
        let scene = try await Scene(installed: Scene.shop)
        let help = try await scene.host.hostapp.run()
        #expect(help.status == 64)
        #expect(help.stderr.hasPrefix("Usage: hostapp <command>"))
        #expect(help.stdout.isEmpty)
        for words in [[], ["--json"]] {
            let catalog = try await scene.host.hostapp.run(["catalog"] + words)
            #expect(try await scene.host.hostapp.run(["store"] + words).stdout == catalog.stdout)
        }
    }
}
