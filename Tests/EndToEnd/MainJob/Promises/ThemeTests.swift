import PluginCore
import PluginTestKit
import Testing

extension MainJob {
    @Suite("The app's theme", .tags(.large))
    struct ThemeTests {
        private static let page = "app://shop/item/42"

        /// Returns the terminal output of opening a page, including standard error.
        private func drawn(_ fixture: HostFixture, _ environment: [String: String] = [:]) async throws -> String {
            let environment = ["TERM": "xterm", "NO_COLOR": ""].merging(environment) { $1 }
            return try await fixture.host.startOnTerminal("open", Self.page, environment: environment).result().stdout
                .replacing("\r\n", with: "\n").replacing("\u{1B}", with: "^")
        }

        @Test("Pages on a terminal have the theme's variant for the background")
        func terminal() async throws {
            let fixture = try await HostFixture(with: shop)
            let before = try await drawn(fixture)
            #expect(before.contains("^[1mDesk lamp^[0m\n=========\n"))
            try await fixture.run("install", lantern)
            let dark = try await drawn(fixture)
            #expect(dark.contains("^[1;38;5;215mDesk lamp^[0m\n^[38;5;245m─────────^[0m\n"), "\(dark)")
            #expect(dark.contains(" ^[96m›^[0m[1] ^[96mBuy^[0m "))
            let light = try await drawn(fixture, ["COLORFGBG": "0;15"])
            #expect(light.contains("^[1;38;5;130mDesk lamp^[0m\n"))
            let colorless = try await drawn(fixture, ["NO_COLOR": "1"])
            #expect(colorless.contains("Desk lamp\n─────────\n") && !colorless.contains("^["))
            try await fixture.run("uninstall", lantern)
            #expect(try await drawn(fixture) == before)
        }

        @Test("An invalid theme is reported once, and pages have the default style")
        func broken() async throws {
            let catalog = try ThrowawayCatalog(copying: HostApp.find().catalog)
            try catalog.pack(from: catalog.folder.appending("\(lantern)-1.0.0.zip")) {
                $0.set("Resources/theme.json", to: #"{"formatVersion": 1, "marks": {"rule": "==", "dot": "."}}"#)
            }
            let fixture = try await HostFixture(with: shop, lantern, catalog: catalog)
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
