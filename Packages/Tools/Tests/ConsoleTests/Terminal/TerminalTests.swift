import Console
import Testing

@Suite("Terminal detection", .tags(.small))
struct TerminalTests {
    private func terminal(_ isTerminal: Bool, _ columns: Int?, _ environment: [String: String]) -> Terminal {
        Terminal(isTerminal: isTerminal, columns: columns) { environment[$0] }
    }

    @Test(
        "The width is that of COLUMNS, of the terminal, or 80",
        arguments: [
            (nil, nil, 80), (120, nil, 120), (120, "100", 100), (nil, "100", 100), (120, "wide", 120), (120, "0", 120),
            (nil, "-5", 80), (nil, "99999999", 80), (nil, "9999999999999999999999", 80),
        ] as [(Int?, String?, Int)])
    func width(columns: Int?, requested: String?, width: Int) {
        #expect(terminal(true, columns, requested.map { ["COLUMNS": $0] } ?? [:]).width == width)
    }

    @Test("Text is styled only on a terminal that supports it and without NO_COLOR")
    func styles() {
        #expect(terminal(true, 80, ["TERM": "xterm"]).styled("x", .bold) == "\u{1B}[1mx\u{1B}[0m")
        #expect(terminal(true, 80, ["TERM": "xterm", "NO_COLOR": ""]).styled("x", .bold) == "\u{1B}[1mx\u{1B}[0m")
        #expect(terminal(true, 80, ["TERM": "xterm", "NO_COLOR": "1"]).styled("x", .bold) == "x")
        #expect(terminal(true, 80, ["TERM": "dumb"]).styled("x", .bold) == "x")
        #expect(terminal(true, 80, [:]).styled("x", .bold) == "x")
        #expect(terminal(false, nil, ["TERM": "xterm"]).styled("x", .bold) == "x")
    }

    @Test("Styles can be combined, and text cannot add its own")
    func combined() {
        let terminal = terminal(true, 80, ["TERM": "xterm"])
        #expect(terminal.styled("x", [.green, .bold]) == "\u{1B}[1;32mx\u{1B}[0m")
        #expect(terminal.styled("x\u{1B}[5m", .red) == "\u{1B}[31mx\\u{1B}[5m\u{1B}[0m")
        #expect(terminal.styled("x", []) == "x")
        #expect(terminal.styled("x", TextStyle(rawValue: 1 << 15)) == "x")
    }
}
