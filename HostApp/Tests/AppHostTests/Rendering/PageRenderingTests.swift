import Console
import PluginCore
import Testing

@testable import AppHost

@MainActor
@Suite("Rendered pages", .tags(.small))
struct PageRenderingTests {
    private let page = StubPage(
        "商品 Shop",
        content: [
            .heading("Tea"), .text("两袋 green tea."), .field(label: "Price", value: "9.90 €"),
            .list([PageRow("购物车", detail: "12"), PageRow("cart", detail: "3400"), PageRow("empty")]), .divider,
        ],
        actions: [
            PageAction("buy", title: "买 Buy"),
            PageAction("signIn", title: "Sign in", fields: [PageField("name", label: "Your name", initial: "Ada")]),
        ]
    )

    /// A page with control characters that would change the terminal or disguise the text.
    private let hostile = StubPage(
        "T\u{1B}[2J",
        content: [
            .heading("H\u{7}"), .text("a\nb"), .field(label: "L\r", value: "V\u{202E}"),
            .list([PageRow("R\u{9B}", detail: "D\t")]),
        ],
        actions: [PageAction("i\u{1B}", title: "A\n[9] B", fields: [PageField("f\n", label: "l\u{0}")])]
    )

    @Test("A page is rendered as text that is aligned by display width")
    func text() {
        #expect(
            PageText(terminal: .plain).render(page) == """
                商品 Shop
                =========

                Tea
                两袋 green tea.
                Price: 9.90 €
                 - 购物车  12
                 - cart    3400
                 - empty
                ---

                  [1] 买 Buy (buy)
                  [2] Sign in (signIn name=<Your name>)

                """
        )
    }

    private let wide = StubPage(
        "A page with a title that is long",
        content: [
            .text("Some words that do not fit into one line."),
            .field(label: "Price", value: "9.90 € with all that is due"),
            .list([
                PageRow("one", detail: "1"), PageRow("a row that is too long for a column", detail: "2"),
                PageRow("three", detail: "what is said at length"),
            ]),
        ],
        actions: [PageAction("signIn", title: "Sign in", fields: [PageField("name", label: "Your name")])]
    )

    @Test("Lines are wrapped between words at the width of the terminal, and a long row does not widen the column")
    func wrapping() {
        let terminal = Terminal(isTerminal: true, columns: 24) { _ in nil }
        #expect(
            PageText(terminal: terminal).render(wide) == """
                A page with a title that
                is long
                ========================
                Some words that do not
                fit into one line.
                Price: 9.90 € with all
                  that is due
                 - one    1
                 - a row that is too
                   long for a column
                          2
                 - three  what is said
                          at length

                  [1] Sign in (signIn
                      name=<Your name>)

                """)
    }

    @Test("Lines are not wrapped if the output is not a terminal")
    func unbroken() {
        let lines = PageText(terminal: .plain).render(wide).split(separator: "\n")
        #expect(lines.contains("Some words that do not fit into one line."))
        #expect(lines.contains(" - one                                  1"))
    }

    @Test("An empty page is rendered as its title and a line")
    func smallest() {
        #expect(PageText(terminal: .plain).render(StubPage("Home")) == "Home\n====\n")
        #expect(PageText(terminal: .plain).render(StubPage("")) == "\n=\n")
    }

    @Test("Control characters of a plugin are escaped and not sent to the terminal")
    func hostileText() {
        #expect(
            PageText(terminal: .plain).render(hostile) == #"""
                T\u{1B}[2J
                ==========

                H\u{7}
                a\nb
                L\r: V\u{202E}
                 - R\u{9B}  D\t

                  [1] A\n[9] B (i\u{1B} f\n=<l\u{0}>)

                """#
        )
    }

    @Test("A page is rendered as one JSON object for scripts")
    func json() {
        #expect(
            PageJSON.render(page).text(pretty: true) == """
                {
                  "title": "商品 Shop",
                  "content": [
                    {
                      "heading": "Tea"
                    },
                    {
                      "text": "两袋 green tea."
                    },
                    {
                      "label": "Price",
                      "value": "9.90 €"
                    },
                    {
                      "rows": [
                        {
                          "title": "购物车",
                          "detail": "12"
                        },
                        {
                          "title": "cart",
                          "detail": "3400"
                        },
                        {
                          "title": "empty",
                          "detail": ""
                        }
                      ]
                    },
                    {
                      "divider": true
                    }
                  ],
                  "actions": [
                    {
                      "id": "buy",
                      "title": "买 Buy",
                      "fields": []
                    },
                    {
                      "id": "signIn",
                      "title": "Sign in",
                      "fields": [
                        {
                          "name": "name",
                          "label": "Your name",
                          "initial": "Ada"
                        }
                      ]
                    }
                  ]
                }
                """
        )
    }

    @Test("Control characters are escaped in JSON")
    func hostileJSON() {
        #expect(PageJSON.render(hostile).text().hasPrefix(#"{"title":"T\u001b[2J","content":[{"heading":"H\u0007"}"#))
    }
}
