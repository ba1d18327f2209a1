import Testing

@testable import AppScreens

@Suite("A canvas", .tags(.small))
struct CanvasTests {
    @Test(
        "Text is cut by columns and never inside a character",
        arguments: [
            ("plain text", 5, "plai…"), ("plain", 5, "plain"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本", 4, "日本"),
            ("e\u{301}te\u{301}", 3, "e\u{301}te\u{301}"), ("שלום עולם", 5, "שלום…"), ("مرحبا", 5, "مرحبا"),
        ])
    func cuts(text: String, width: Int, shown: String) {
        var canvas = Canvas(columns: 20, rows: 1)
        canvas.write(text, column: 0, row: 0, width: width)
        #expect(canvas.lines == [shown])
    }

    @Test("A wide character takes two cells or is replaced, and half of one is never left over")
    func wideCells() {
        var canvas = Canvas(columns: 6, rows: 1)
        canvas.write("日本語", column: 0, row: 0)
        #expect(canvas[1, 0].text.isEmpty)
        canvas.write("x", column: 1, row: 0)
        #expect(canvas.lines == [" x本語"])
        canvas.write("y", column: 2, row: 0)
        #expect(canvas.lines == [" xy 語"])
        // There is no room for it in the last column.
        canvas.write("日", column: 5, row: 0)
        #expect(canvas.lines == [" xy  …"])
    }

    @Test(
        "Text of a plugin cannot steer the terminal",
        arguments: ["\u{1B}[2J", "a\r\nb", "\u{9B}31m", "x\u{202E}y", "\u{7}"])
    func escapes(text: String) {
        var canvas = Canvas(columns: 40, rows: 1)
        canvas.write(text, column: 0, row: 0)
        let scalars = canvas.lines.joined().unicodeScalars
        #expect(scalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F ~= $0.value) && $0 != "\u{202E}" })
        #expect(!canvas.lines.joined().isEmpty)
    }

    @Test(
        "A character is divided into the cells that terminals draw",
        arguments: [
            ("a", ["a"]), ("e\u{301}", ["e\u{301}"]), ("日", ["日"]), ("\u{301}", ["\u{25CC}\u{301}"]),
            ("👩‍👩‍👧", ["👩"]), ("한", ["한"]),
        ])
    func parts(character: String, cells: [String]) {
        #expect(
            Character(character).cells.map { Array($0.text.unicodeScalars) } == cells.map { Array($0.unicodeScalars) })
    }

    @Test("A frame has thick lines for the selection, so that it shows without colors")
    func frames() {
        var canvas = Canvas(columns: 4, rows: 3)
        canvas.frame(canvas.bounds)
        #expect(canvas.lines == ["┌──┐", "│  │", "└──┘"])
        canvas.frame(canvas.bounds, isHeavy: true)
        #expect(canvas.lines == ["┏━━┓", "┃  ┃", "┗━━┛"])
    }

    @Test("Drawing outside of the canvas has no effect")
    func outside() {
        var canvas = Canvas(columns: 4, rows: 2)
        canvas.write("abc", column: 2, row: -1)
        canvas.write("abc", column: 9, row: 0)
        canvas.fill(Rectangle(column: -5, row: -5, columns: 3, rows: 3))
        canvas.frame(Rectangle(column: 2, row: 1, columns: 9, rows: 9))
        #expect(canvas[0, 0].text == " ")
    }
}
