import Console
import Testing

@Suite("Text on a terminal", .tags(.small))
struct PrintableTests {
    @Test(
        "Characters that would control a terminal are escaped, and all other text is unchanged",
        arguments: [
            ("plain ~ text", "plain ~ text"), ("", ""), ("购物车 é 👩‍👩‍👧", "购物车 é 👩‍👩‍👧"),
            ("\u{1B}[31mred", "\\u{1B}[31mred"), ("a\nb\tc\rd", "a\\nb\\tc\\rd"), ("a\r\nb", "a\\r\\nb"),
            ("\u{0}\u{7}\u{7F}", "\\u{0}\\u{7}\\u{7F}"), ("\u{9B}2J\u{85}", "\\u{9B}2J\\u{85}"),
            ("a\u{202E}gpj.exe", "a\\u{202E}gpj.exe"), ("\u{2066}x\u{2069}\u{200F}", "\\u{2066}x\\u{2069}\\u{200F}"),
            ("a\u{2028}b", "a\\u{2028}b"), ("a\u{200B}b\u{FEFF}", "a\\u{200B}b\\u{FEFF}"), ("\u{E0041}", "\\u{E0041}"),
        ])
    func escapes(text: String, shown: String) {
        #expect(printable(text) == shown)
        #expect(printable(shown) == shown)
    }

    @Test("Line feeds and tabs are kept in text of several lines, but carriage returns are escaped")
    func lines() { #expect(printable("a\n\tb\r\nc\u{1B}", keepingLines: true) == "a\n\tb\\r\nc\\u{1B}") }

    @Test(
        "The display width is that of a terminal",
        arguments: [
            ("", 0), ("abc", 3), ("购物车", 6), ("カート", 6), ("ｶｰﾄ", 3), ("장바구니", 8), ("\u{1112}\u{1161}\u{11AB}", 2),
            ("é", 1), ("e\u{301}", 1), ("，。", 4), ("Ａ", 2), ("𠀀", 2), ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇨🇳", 2),
            ("❤", 1), ("❤\u{FE0F}", 2), ("✅", 2), ("\u{1B}\n", 0), ("ñandú", 5), ("a购b", 4),
        ])
    func widths(text: String, width: Int) { #expect(displayWidth(of: text) == width) }
}
