import Console
import Testing

@Suite("Display width of text", .tags(.small))
struct DisplayWidthTests {
    @Test(
        "The display width is that of a terminal",
        arguments: [
            ("", 0), ("abc", 3), ("购物车", 6), ("カート", 6), ("ｶｰﾄ", 3), ("장바구니", 8), ("\u{1112}\u{1161}\u{11AB}", 2),
            ("é", 1), ("e\u{301}", 1), ("，。", 4), ("Ａ", 2), ("𠀀", 2), ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇨🇳", 2),
            ("❤", 1), ("❤\u{FE0F}", 2), ("✅", 2), ("\u{1B}\n", 0), ("ñandú", 5), ("a购b", 4),
        ])
    func widths(text: String, width: Int) {
        #expect(displayWidth(of: text) == width)
    }
}
