import Console
import PluginCore
import Testing

@testable import AppHost

@MainActor
@Suite("Themes of pages", .tags(.medium))
struct ThemeTests {
    private let page = StubPage(
        "商品",
        content: [
            .heading("Tea"), .text("Two bags."), .field(label: "Price", value: "9"),
            .list([PageRow("Cart", detail: "12"), PageRow("Till")]), .divider,
        ],
        actions: [PageAction.Description("buy", title: "Buy")])

    private static func terminal(_ variables: [String: String] = ["TERM": "xterm"]) -> Terminal {
        Terminal(isTerminal: true, columns: 80) { variables[$0] }
    }

    /// Reads a theme from the text of its file.
    private func read(_ text: String) throws -> Theme {
        let folder = try TemporaryFolder()
        _ = try folder.write(text, to: "theme.json")
        return try Theme(BundleResources(root: folder.path))
    }

    private let lantern = #"""
        {
          "formatVersion": 1, "name": "@theme.name",
          "marks": { "bullet": "•", "rule": "─", "arrow": "→", "selection": "›" },
          "variants": {
            "light": { "name": "@theme.light", "title": 130, "text": "default", "action": "blue", "muted": "bright black" },
            "dark": { "name": "@theme.dark", "title": 215, "action": "bright cyan", "muted": 245 }
          }
        }
        """#

    private func drawn(_ theme: Theme?, on terminal: Terminal, _ variant: Theme.Variant = .dark) -> String {
        PageText(PageStyle(terminal: terminal, theme: theme, variant: variant)).render(page)
            .replacing("\u{1B}", with: "^")
    }

    @Test("Pages on a terminal have the marks and colors of the variant for its background")
    func themed() throws {
        let theme = try read(lantern)
        #expect(
            drawn(theme, on: Self.terminal()) == """
                ^[1;38;5;215m商品^[0m
                ^[38;5;245m────^[0m

                ^[1;38;5;215mTea^[0m
                Two bags.
                Price: 9
                 • Cart  ^[38;5;245m12^[0m
                 • Till
                ^[38;5;245m───^[0m

                 ^[96m›^[0m[1] ^[96mBuy^[0m ^[38;5;245m(buy)^[0m

                """)
        #expect(drawn(theme, on: Self.terminal(), .light).hasPrefix("^[1;38;5;130m商品^[0m\n^[90m────^[0m\n"))
        let style = PageStyle(terminal: Self.terminal(), theme: theme, variant: .light)
        #expect(style.echo("buy") == "\u{1B}[34m→ buy\u{1B}[0m")
    }

    @Test("A theme does not change the output to files, pipes and scripts")
    func plain() throws {
        let theme = try read(lantern)
        #expect(drawn(theme, on: .plain) == drawn(nil, on: .plain))
        #expect(PageStyle(terminal: .plain, theme: theme).echo("buy") == "> buy")
    }

    @Test(
        "A theme keeps its marks but no colors where colors are disabled",
        arguments: [["TERM": "xterm", "NO_COLOR": "1"], [:]])
    func colorless(variables: [String: String]) throws {
        let text = drawn(try read(lantern), on: Self.terminal(variables))
        #expect(!text.contains("^") && text.contains("\n────\n") && text.contains("\n • Cart  12\n"))
    }

    @Test(
        "The variant follows the terminal's background and is dark by default",
        arguments: [
            ("0;15", Theme.Variant.light), ("0;default;7", .light), ("15;0", .dark), ("7;8", .dark), (nil, .dark),
            ("", .dark), ("x;y", .dark), ("0;16", .dark), ("0;-1", .dark),
        ] as [(String?, Theme.Variant)])
    func variant(colors: String?, variant: Theme.Variant) {
        #expect(Theme.Variant(forTerminalSaying: colors) == variant)
    }

    @Test("All problems of a theme are reported at once")
    func problems() throws {
        let text = #"""
            {
              "formatVersion": 1, "name": 7, "mark": {},
              "marks": { "bullet": "", "rule": "==", "arrow": "\u001b[2J", "selection": "four" , "dot": "." },
              "variants": { "dusk": {}, "dark": { "title": "cian", "text": 256, "action": 1.5, "muted": [] } }
            }
            """#
        let error = try #require(throws: AtriumError.self) { try read(text) }
        #expect(error.code == .resourceInvalid)
        #expect(
            error.problems.map(\.description) == [
                "at(place: name, problem: stringExpected)",
                "at(place: marks.bullet, problem: columnsExpected(most: 3))",
                "at(place: marks.rule, problem: oneColumnExpected(most: 1))",
                "at(place: marks.arrow, problem: columnsExpected(most: 3))",
                "at(place: marks.selection, problem: columnsExpected(most: 3))",
                "at(place: marks.dot, problem: fieldUnknown)",
                "at(place: variants[\"dark\"].title, problem: colorExpected)",
                "at(place: variants[\"dark\"].text, problem: colorExpected)",
                "at(place: variants[\"dark\"].action, problem: colorExpected)",
                "at(place: variants[\"dark\"].muted, problem: colorExpected)",
                "at(place: variants[\"dusk\"], problem: oneOfExpected(known: [light, dark]))",
                "at(place: mark, problem: fieldMisspelled(nearest: marks))",
            ], "\(error.problems.map(\.description))")
    }

    @Test(
        "A theme of an unknown format version or with invalid JSON is rejected",
        arguments: [#"{"formatVersion": 2}"#, "{", "[]"])
    func unreadable(text: String) { #expect(throws: AtriumError.self) { try read(text) } }
}
