import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

@Suite("Deferred addresses on screens", .tags(.large))
struct DeferredScreenTests {
    /// The built host with an installed shop, whose catalog was missing while addresses were deferred.
    private struct Shop {
        let scene: Scene
        let window: TerminalWindow
        fileprivate let hiddenCatalog: ThrowawayFolder

        /// Makes the catalog available.
        func restoreCatalog() throws { try Self.restore(scene, from: hiddenCatalog) }

        fileprivate static func restore(_ scene: Scene, from folder: ThrowawayFolder) throws {
            try FileManager.default.moveItem(
                atPath: folder.appending("catalog").string, toPath: scene.catalog.folder.string)
        }

        /// Presses keys, and waits for a screen with some texts and without others.
        @discardableResult
        func waitForScreen(
            _ texts: String..., without others: [String] = [], after keys: String...,
            sourceLocation: SourceLocation = #_sourceLocation
        ) async throws -> String {
            for key in keys { try await window.press(key) }
            return try await window.wait(
                until: { screen in texts.allSatisfy(screen.contains) && !others.contains(where: screen.contains) },
                "\(texts) without \(others)", sourceLocation: sourceLocation)
        }

        func expectNothingDeferred(sourceLocation: SourceLocation = #_sourceLocation) async throws {
            let waiting = try await scene.does("deferred", "list").stdout
            #expect(waiting == "No deferred addresses.\n", sourceLocation: sourceLocation)
        }
    }

    /// Runs the screens after the opening of some addresses was deferred.
    ///
    /// - Parameter isReady: `true` if the catalog is available again.
    private func run(
        deferring addresses: String..., isReady: Bool = true, options: [String] = [], body: (Shop) async throws -> Void
    ) async throws {
        let (scene, hiddenCatalog) = (try await Scene(installed: Scene.shop), try ThrowawayFolder())
        try FileManager.default.moveItem(
            atPath: scene.catalog.folder.string, toPath: hiddenCatalog.appending("catalog").string)
        for address in addresses {
            let saved = try await scene.host.hostapp.run("open", address, "--defer")
            try #require(saved.status == 75, "\(saved)")
        }
        if isReady { try Shop.restore(scene, from: hiddenCatalog) }
        let host = [
            scene.host.build.appending("bin/hostapp").string, "--sandbox", scene.sandbox.root.string, "--catalog",
            scene.catalog.folder.string,
        ]
        try await TerminalWindow.run(host + options) { window in
            try await body(Shop(scene: scene, window: window, hiddenCatalog: hiddenCatalog))
        }
    }

    @Test("The screens open a deferred address on top of the app's first page, and it no longer waits")
    func start() async throws {
        try await run(deferring: "app://account") { shop in
            try await shop.waitForScreen(" ‹ Shop   Account", without: ["…"])
            try await shop.expectNothingDeferred()
            try await shop.waitForScreen("Gift card", without: ["Nobody"], after: "Escape")
            try await shop.waitForScreen("No address waits for its plugin.", after: "d")
            try await shop.window.press("q")
            #expect(try await shop.window.status() == "0")
        }
    }

    @Test("An address whose plugin is not ready is listed with d, and opened there with a key once it is")
    func opened() async throws {
        try await run(deferring: "app://account", isReady: false) { shop in
            try await shop.waitForScreen("Gift card", "1 address is still deferred.")
            try await shop.waitForScreen("• app://account  until 20", after: "d")
            let reason = try await shop.waitForScreen("[OK]", after: "1")
            #expect(reason.contains("no plugin handles") && reason.contains("cannot be reached"), "\(reason)")
            #expect(try await shop.scene.does("deferred", "list").stdout.contains("app://account"))
            try await shop.window.press("Enter")

            try shop.restoreCatalog()
            try await shop.waitForScreen(without: ["[OK]", "…"])
            try await shop.waitForScreen("Nobody is signed in.", after: "1")
            try await shop.expectNothingDeferred()
            try await shop.waitForScreen("No address waits for its plugin.", after: "Escape")
        }
    }

    @Test("Deferred addresses are forgotten with a key, and are not opened")
    func forgotten() async throws {
        try await run(deferring: "app://account", "app://orders/help", isReady: false) { shop in
            try await shop.waitForScreen("Gift card", "2 addresses are still deferred.")
            try await shop.waitForScreen("app://account", "app://orders/help", after: "d")
            try await shop.waitForScreen("No address waits for its plugin.", "Dropped 2.", after: "2")
            try await shop.expectNothingDeferred()
            try await shop.waitForScreen("Gift card", without: ["address"], after: "Escape")
        }
    }

    @Test("The error of a deferred address that can never open is shown, and it no longer waits")
    func failed() async throws {
        try await run(deferring: "app://nowhere") { shop in
            let error = try await shop.waitForScreen("[OK]")
            #expect(error.contains("no plugin handles \"app://nowhere\""), "\(error)")
            try await shop.expectNothingDeferred()
            try await shop.waitForScreen("Gift card", without: ["[OK]"], after: "Enter")
        }
    }

    @Test("Without a first page, the deferred address is shown in place of the store")
    func inPlaceOfStore() async throws {
        let folder = try ThrowawayFolder()
        try folder.write(#"{"formatVersion": 1, "name": "Plain", "bundles": []}"#, to: "bundle.json")
        let options = ["--composition", folder.appending("bundle.json").string]
        try await run(deferring: "app://account", options: options) { shop in
            try await shop.waitForScreen("Nobody is signed in.", "s store")
        }
    }
}
