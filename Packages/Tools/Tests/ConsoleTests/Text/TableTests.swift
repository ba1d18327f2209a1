import Console
import Testing

@Suite("Tables", .tags(.small))
struct TableTests {
    @Test("Columns are aligned by display width, including Chinese text")
    func alignment() {
        var table = Table([.init("PLUGIN"), .init("NAME"), .init("SIZE", .trailing)])
        table.add(["com.example.shop", "购物车", "12"])
        table.add(["com.example.pay", "pay", "3400"])
        table.add(["e\u{301}", "支付 Pay", "7"])
        #expect(
            table.rendered() == """
                PLUGIN            NAME      SIZE
                com.example.shop  购物车      12
                com.example.pay   pay       3400
                e\u{301}                 支付 Pay     7

                """)
    }

    @Test("Missing cells are empty, additional cells are shown, and no line ends with a space")
    func raggedRows() {
        var table = Table([.init("A"), .init("B"), .init("C")])
        table.add(["1"])
        table.add(["22", "", "3", "more"])
        table.add([])
        #expect(table.rendered() == "A   B  C\n1\n22     3  more\n\n")
    }

    @Test("A cell cannot break out of its row")
    func untrusted() {
        var table = Table([.init("A"), .init("B")])
        table.add(["x\ny\u{1B}[2J", "z"])
        #expect(table.rendered(for: colorful).split(separator: "\n").count == 2)
        #expect(table.rendered() == "A              B\nx\\ny\\u{1B}[2J  z\n")
    }

    @Test("Styles of cells and headings do not move the columns")
    func styles() {
        var table = Table([.init("A"), .init("B", style: .dim)])
        table.add(["long", "x"], style: .red)
        let expected = "\u{1B}[1mA\u{1B}[0m     \u{1B}[1mB\u{1B}[0m\n\u{1B}[31mlong\u{1B}[0m  \u{1B}[2;31mx\u{1B}[0m\n"
        #expect(table.rendered(for: colorful) == expected)
        #expect(table.rendered() == "A     B\nlong  x\n")
    }

    @Test("There is no heading line if no column has a title")
    func noHeading() {
        var table = Table([.init(), .init("", .trailing)])
        #expect(table.isEmpty && table.rendered() == "")
        table.add(["a", "1"])
        table.add(["b", "10"])
        #expect(table.rendered() == "a   1\nb  10\n")
    }

    private func table() -> Table {
        var table = Table([.init("PLUGIN"), .init("SIZE", .trailing), .init("STATE")])
        table.add(["com.example.shop", "12", "it was set aside because it crashed"])
        table.add(["com.example.pay", "3400", "sound"])
        return table
    }

    private func narrow(_ columns: Int) -> Terminal { Terminal(isTerminal: true, columns: columns) { _ in nil } }

    @Test("The last column is wrapped on a narrow terminal, but not elsewhere")
    func wrapping() {
        #expect(
            table().rendered(for: narrow(45)) == """
                PLUGIN            SIZE  STATE
                com.example.shop    12  it was set aside
                                        because it crashed
                com.example.pay   3400  sound

                """)
        #expect(table().rendered(for: narrow(59)) == table().rendered())
    }

    @Test("On a very narrow terminal, the cells of a row are placed below each other")
    func stacking() {
        #expect(
            table().rendered(for: narrow(30)) == """
                PLUGIN  com.example.shop
                SIZE    12
                STATE   it was set aside
                        because it crashed

                PLUGIN  com.example.pay
                SIZE    3400
                STATE   sound

                """)
        var facts = Table([.init(), .init()])
        facts.add(["what it is called", "a long name of many words"])
        #expect(facts.rendered(for: narrow(20)) == "what it is called\n    a long name of\n    many words\n")
    }
}
