import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

@Suite("Deferred addresses on screens", .tags(.large))
struct DeferredScreenTests {
    /// The built host with an installed shop, whose catalog is missing until it is restored.
    private struct Shop {
        let scene: Scene
        private let folder: ThrowawayFolder

        init() async throws {
            scene = try await Scene(installed: Scene.shop)
            folder = try ThrowawayFolder()
            try FileManager.default.moveItem(
                atPath: scene.catalog.folder.string, toPath: folder.appending("away").string)
        }

        func restoreCatalog() throws {
            try FileManager.default.moveItem(
                atPath: folder.appending("away").string, toPath: scene.catalog.folder.string)
        }

        /// Defers an address, whose plugin is not ready.
        func deferOpening(of address: String) async throws {
            let saved = try await scene.host.hostapp.run("open", address, "--defer")
            try #require(saved.status == 75, "\(saved)")
        }

        func waiting() async throws -> String { try await scene.does("deferred", "list").stdout }

        func run(_ words: String..., body: (TerminalWindow) async throws -> Void) async throws {
            let host = [
                scene.host.build.appending("bin/hostapp").string, "--sandbox", scene.sandbox.root.string, "--catalog",
                scene.catalog.folder.string,
            ]
            try await TerminalWindow.run(host + words, body)
        }
    }

    private static let none = "No deferred addresses.\n"

    @Test("The screens open a deferred address on top of the app's first page, and it no longer waits")
    func start() async throws {
        let shop = try await Shop()
        try await shop.deferOpening(of: "app://account")
        try shop.restoreCatalog()
        try await shop.run { window in
            try await window.wait(until: { $0.hasPrefix(" ‹ Shop   Account") && !$0.contains("…") }, "the page")
            #expect(try await shop.waiting() == Self.none)
            try await window.press("Escape")
            try await window.wait(until: { $0.contains("Gift card") && !$0.contains("Nobody") }, "the first page")
            try await window.press("d")
            try await window.wait(for: "No address waits for its plugin.")
            try await window.press("q")
            #expect(try await window.status() == "0")
        }
    }

    @Test("An address whose plugin is not ready is listed with d, and opened there with a key once it is")
    func opened() async throws {
        let shop = try await Shop()
        try await shop.deferOpening(of: "app://account")
        try await shop.run { window in
            try await window.wait(
                until: { $0.contains("Gift card") && $0.contains("1 address is still deferred.") }, "the first page")
            try await window.press("d")
            try await window.wait(until: { $0.contains("• app://account  until 20") }, "the waiting address")
            try await window.press("1")
            let reason = try await window.wait(for: "[OK]")
            #expect(reason.contains("no plugin handles") && reason.contains("cannot be reached"), "\(reason)")
            #expect(try await shop.waiting().contains("app://account"))
            try await window.press("Enter")

            try shop.restoreCatalog()
            try await window.wait(until: { !$0.contains("[OK]") && !$0.contains("…") }, "the list")
            try await window.press("1")
            try await window.wait(for: "Nobody is signed in.")
            #expect(try await shop.waiting() == Self.none)
            try await window.press("Escape")
            try await window.wait(for: "No address waits for its plugin.")
        }
    }

    @Test("Deferred addresses are forgotten with a key, and are not opened")
    func forgotten() async throws {
        let shop = try await Shop()
        try await shop.deferOpening(of: "app://account")
        try await shop.deferOpening(of: "app://orders/help")
        try await shop.run { window in
            try await window.wait(
                until: { $0.contains("Gift card") && $0.contains("2 addresses are still deferred.") },
                "the first page")
            try await window.press("d")
            try await window.wait(until: { $0.contains("app://account") && $0.contains("app://orders/help") }, "both")
            try await window.press("2")
            let page = try await window.wait(for: "No address waits for its plugin.")
            #expect(page.contains("Dropped 2."), "\(page)")
            #expect(try await shop.waiting() == Self.none)
            try await window.press("Escape")
            try await window.wait(until: { $0.contains("Gift card") && !$0.contains("address") }, "the first page")
        }
    }

    @Test("The error of a deferred address that can never open is shown, and it no longer waits")
    func failed() async throws {
        let shop = try await Shop()
        try await shop.deferOpening(of: "app://nowhere")
        try shop.restoreCatalog()
        try await shop.run { window in
            let error = try await window.wait(for: "[OK]")
            #expect(error.contains("no plugin handles \"app://nowhere\""), "\(error)")
            #expect(try await shop.waiting() == Self.none)
            try await window.press("Enter")
            try await window.wait(until: { $0.contains("Gift card") && !$0.contains("[OK]") }, "the first page")
        }
    }

    @Test("Without a first page, the deferred address is shown in place of the store")
    func inPlaceOfStore() async throws {
        let shop = try await Shop()
        try await shop.deferOpening(of: "app://account")
        try shop.restoreCatalog()
        let folder = try ThrowawayFolder()
        try folder.write(#"{"formatVersion": 1, "name": "Plain", "bundles": []}"#, to: "bundle.json")
        try await shop.run("--composition", folder.appending("bundle.json").string) { window in
            try await window.wait(
                until: { $0.contains("Nobody is signed in.") && $0.contains("s store") }, "the page")
        }
    }
}
