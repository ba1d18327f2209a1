import Console
import Testing

@Suite("Wrapped text", .tags(.small))
struct WrappedTextTests {
    @Test(
        "Text is wrapped at spaces without splitting words, and spaces within a line are kept",
        arguments: [
            ("one two three", 7, ["one two", "three"]), ("one  two", 8, ["one  two"]),
            ("  one two", 5, ["  one", "two"]),
            ("app://shop/item/42 x", 10, ["app://shop/item/42", "x"]), ("", 10, [""]),
            ("exactly ten", 11, ["exactly ten"]),
        ])
    func spaces(text: String, width: Int, lines: [String]) {
        #expect(WrappedText(text).lines(width: width) == lines)
    }

    @Test("Text of wide characters is wrapped between them, but not before closing punctuation")
    func wide() {
        #expect(WrappedText("你好世界，再见").lines(width: 8) == ["你好世", "界，再见"])
        #expect(WrappedText("（你好）").lines(width: 4) == ["（你", "好）"])
    }

    @Test("Without a width, the text is one line")
    func unbroken() {
        let text = String(repeating: "word ", count: 100)
        #expect(WrappedText(text).lines(width: nil, hanging: 4) == [text])
    }

    @Test("Each part is styled on every line, and all lines but the first are indented")
    func styles() {
        var text = WrappedText("error:", style: { "<\($0)>" })
        text.append(" it is broken", style: { "[\($0)]" })
        #expect(text.lines(width: 12, hanging: 2) == ["<error:>[ it is]", "  [broken]"])
        #expect(text.lines(width: nil) == ["<error:>[ it is broken]"])
        #expect(WrappedText("a\u{1B}b").lines(width: 20) == ["a\\u{1B}b"])
    }
}
