import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("The app's theme", .tags(.large))
    struct ThemeTests {
        private static let page = "app://shop/item/42"

        /// Returns the terminal output of opening a page, including standard error.
        private func drawn(_ fixture: Scene) async throws -> String {
            let environment = ["TERM": "xterm", "NO_COLOR": ""]
            return try await fixture.host.startOnTerminal("open", Self.page, environment: environment).result().stdout
                .replacing("\r\n", with: "\n").replacing("\u{1B}", with: "^")
        }

        @Test("Pages on a terminal have the theme's variant for the background")
        func terminal() async throws {
            let fixture = try await Scene(installed: shop)
            let before = try await drawn(fixture)
            #expect(before.contains("^[1mDesk lamp^[0m\n=========\n"))
            try await fixture.run("install", lantern)
            let dark = try await drawn(fixture)
            #expect(dark.contains("^[1;38;5;215mDesk lamp^[0m\n^[38;5;245m─────────^[0m\n"), "\(dark)")
            #expect(dark.contains(" ^[96m›^[0m[1] ^[96mBuy^[0m "))
            try await fixture.run("uninstall", lantern)
            #expect(try await drawn(fixture) == before)
        }

        @Test("An invalid theme is reported once, and pages have the default style")
        func broken() async throws {
            let fixture = try Scene()
            try fixture.change(lantern) {
                $0.set("Resources/theme.json", to: #"{"formatVersion": 1, "marks": {"rule": "==", "dot": "."}}"#)
            }
            for bundle in [shop, lantern] { try await fixture.run("install", bundle) }
            let result = try await fixture.host.startOnTerminal(
                "open", "app://shop", "--tap", "item-42", environment: ["TERM": "xterm", "NO_COLOR": "1"]
            ).result()
            #expect(result.status == 0)
            let told = (result.stdout + result.stderr).replacing("\r\n", with: "\n")
            #expect(told.contains("Desk lamp\n=========\n"))
            let note = "note: pages are shown without the theme of \(lantern): "
            #expect(told.split(separator: note, omittingEmptySubsequences: false).count == 2, "\(told)")
            #expect(
                told.contains("marks.rule: expected visible text of one column; marks.dot: no such field"))
        }
    }
}
