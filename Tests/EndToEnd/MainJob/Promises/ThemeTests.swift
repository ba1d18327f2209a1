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
    }
}
