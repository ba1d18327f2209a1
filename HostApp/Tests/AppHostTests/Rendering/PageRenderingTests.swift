import Console
import PluginCore
import TerminalImages
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
            PageAction.Description("buy", title: "买 Buy"),
            PageAction.Description(
                "signIn", title: "Sign in", fields: [PageField("name", label: "Your name", initial: "Ada")]),
        ])

    /// A page with control characters that would change the terminal or disguise the text.
    private let hostile = StubPage(
        "T\u{1B}[2J",
        content: [
            .heading("H\u{7}"), .text("a\nb"), .field(label: "L\r", value: "V\u{202E}"),
            .list([PageRow("R\u{9B}", detail: "D\t")]),
        ],
        actions: [PageAction.Description("i\u{1B}", title: "A\n[9] B", fields: [PageField("f\n", label: "l\u{0}")])])

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

                """)
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
        actions: [PageAction.Description("signIn", title: "Sign in", fields: [PageField("name", label: "Your name")])])

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

    @Test("Control characters of a plugin are escaped and not sent to the terminal, also in JSON")
    func hostileText() {
        #expect(PageJSON.render(hostile).text().hasPrefix(#"{"title":"T\u001b[2J","content":[{"heading":"H\u0007"}"#))
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
            PageJSON.render(page).text()
                == #"{"title":"商品 Shop","content":[{"heading":"Tea"},{"text":"两袋 green tea."},"#
                + #"{"label":"Price","value":"9.90 €"},{"rows":[{"title":"购物车","detail":"12"},"#
                + #"{"title":"cart","detail":"3400"},{"title":"empty","detail":""}]},{"divider":true}],"#
                + #""actions":[{"id":"buy","title":"买 Buy","fields":[]},{"id":"signIn","title":"Sign in","#
                + #""fields":[{"name":"name","label":"Your name","initial":"Ada"}]}]}"#)
    }

    private static let image = PageImage(png: Pictures.redAndBlue, text: "Two colors")

    private let rich = StubPage(
        "Shop",
        content: [
            .image(image), .image(PageImage(png: [], text: "")), .progress(label: "Delivery", fraction: 0.456),
            .progress(label: "Waiting", fraction: nil), .unknown(kind: "map"),
            .section(
                title: "Offers",
                [
                    .list([
                        PageRow("Tea", detail: "3.50", action: "open", input: ["id": "42"]),
                        PageRow("Sugar lumps", detail: "1.20"),
                        PageRow("Milk", image: image, action: "milk"),
                    ]), .text("As long as they last."),
                ]),
        ],
        actions: [
            PageAction.Description(
                "order", title: "Order",
                fields: [
                    PageField("name", label: "Name"), .toggle("gift", label: "As a gift"),
                    .choice("size", label: "Size", of: [PageOption("s", title: "Small"), PageOption("l")]),
                ])
        ])

    @Test("Rows that can be chosen are numbered before the actions, and images, progress and choices are texts")
    func richText() {
        #expect(
            PageText(terminal: .plain).render(rich) == """
                Shop
                ====
                [Two colors]
                Delivery: 45 %
                Waiting: …

                Offers
                    [1] Tea       3.50 (open id=42)
                   - Sugar lumps  1.20
                    [2] Milk (milk)
                  As long as they last.

                  [3] Order (order name=<Name> gift=<As a gift: true|false> size=<Size: s|l>)

                """)
    }

    @Test("The new elements are members of the JSON object, without the pixels of images")
    func richJSON() {
        let text = PageJSON.render(rich).text()
        for part in [
            #"{"image":{"text":"Two colors","scale":1,"bytes":\#(Pictures.redAndBlue.count)}}"#,
            #"{"progress":"Delivery","fraction":0.456},{"progress":"Waiting","fraction":null}"#,
            #"{"section":"Offers","content":[{"rows":[{"title":"Tea","detail":"3.50","action":"open","input":{"id":"42"}}"#,
            #"{"title":"Sugar lumps","detail":"1.20"}"#,
            #"{"name":"name","label":"Name","initial":""},{"name":"gift","label":"As a gift","initial":"false","kind":"toggle"}"#,
            #""initial":"s","kind":"choice","options":[{"value":"s","title":"Small"},{"value":"l","title":"l"}]}"#,
        ] {
            #expect(text.contains(part), "\(part)")
        }
        #expect(!text.contains("map"))
    }

    private static let drawing = PageText(
        PageStyle(terminal: Terminal(isTerminal: true, columns: 40) { ["TERM": "xterm-256color"][$0] }),
        imageColors: .direct)

    @Test("A terminal that can draw images gets drawings and bars, and the text of an image that cannot be decoded")
    func drawings() throws {
        let lines = Self.drawing.render(rich).split(separator: "\n")
        #expect(lines[2] == "\u{1B}[38;2;255;0;0;48;2;0;0;255m▀\u{1B}[0m")
        #expect(lines[3].contains("[#########-----------]") && lines[3].contains("45 %"))
        #expect(!lines.contains { $0.contains("Two colors") })
        let damaged = StubPage("P", content: [.image(PageImage(png: [1, 2, 3], text: "A lamp"))])
        #expect(Self.drawing.render(damaged).contains("[A lamp]"))
    }
}

/// Pictures as PNG files.
enum Pictures {
    /// One column of a red and a blue pixel.
    static let redAndBlue: [UInt8] = [
        137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1, 0, 0, 0, 2, 8, 6, 0, 0, 0, 153, 129,
        182, 39, 0, 0, 0, 17, 73, 68, 65, 84, 120, 218, 99, 248, 207, 192, 0, 68, 12, 255, 255, 3, 0, 17, 248, 3, 253,
        8, 237, 177, 86, 0, 0, 0, 0, 73, 69, 78, 68, 174, 66, 96, 130,
    ]
}
