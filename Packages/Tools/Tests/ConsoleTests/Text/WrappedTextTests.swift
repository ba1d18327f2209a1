import Console
import Testing

@Suite("A wrapped text")
struct WrappedTextTests {
    @Test(
        "breaks at spaces, keeps words in one piece, and keeps the spaces within a line",
        arguments: [
            ("one two three", 7, ["one two", "three"]), ("one  two", 8, ["one  two"]),
            ("  one two", 5, ["  one", "two"]),
            ("app://shop/item/42 x", 10, ["app://shop/item/42", "x"]), ("", 10, [""]),
            ("exactly ten", 11, ["exactly ten"]),
        ])
    func spaces(text: String, width: Int, lines: [String]) {
        #expect(WrappedText(text).lines(width: width) == lines)
    }

    @Test("breaks text of wide characters between them, but not before what closes")
    func wide() {
        #expect(WrappedText("你好世界，再见").lines(width: 8) == ["你好世", "界，再见"])
        #expect(WrappedText("（你好）").lines(width: 4) == ["（你", "好）"])
    }

    @Test("is one line where there is no width")
    func unbroken() {
        let text = String(repeating: "word ", count: 100)
        #expect(WrappedText(text).lines(width: nil, hanging: 4) == [text])
    }

    @Test("sets each part off on each line, and indents all lines but the first")
    func styles() {
        var text = WrappedText("error:", style: { "<\($0)>" })
        text.append(" it is broken", style: { "[\($0)]" })
        #expect(text.lines(width: 12, hanging: 2) == ["<error:>[ it is]", "  [broken]"])
        #expect(text.lines(width: nil) == ["<error:>[ it is broken]"])
        #expect(WrappedText("a\u{1B}b").lines(width: 20) == ["a\\u{1B}b"])
    }
}
