import Console
import PluginCore
import Testing

@testable import AppHost

@MainActor
@Suite("A drawn page")
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

    /// What a page may hold to steer the terminal, or to look like something else.
    private let hostile = StubPage(
        "T\u{1B}[2J",
        content: [
            .heading("H\u{7}"), .text("a\nb"), .field(label: "L\r", value: "V\u{202E}"),
            .list([PageRow("R\u{9B}", detail: "D\t")]),
        ],
        actions: [PageAction("i\u{1B}", title: "A\n[9] B", fields: [PageField("f\n", label: "l\u{0}")])]
    )

    @Test("is text for people, aligned by display width")
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

    @Test("is a title and its line when there is nothing else")
    func smallest() {
        #expect(PageText(terminal: .plain).render(StubPage("Home")) == "Home\n====\n")
        #expect(PageText(terminal: .plain).render(StubPage("")) == "\n=\n")
    }

    @Test("shows control characters of a plugin instead of sending them")
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

    @Test("is one object for scripts")
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

    @Test("is escaped for scripts by the rules of JSON")
    func hostileJSON() {
        #expect(PageJSON.render(hostile).text().hasPrefix(#"{"title":"T\u001b[2J","content":[{"heading":"H\u0007"}"#))
    }
}
