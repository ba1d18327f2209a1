import Testing

@testable import AppHost

@Suite("Lines that plugins print while screens are shown", .tags(.small))
struct OutputLinesTests {
    @Test("A line may arrive in parts, and the last complete one is announced")
    func parts() {
        let lines = OutputLines()
        #expect(lines.add("one\ntw") == "one")
        #expect(lines.all == ["one", "tw"])
        #expect(lines.add("o") == nil)
        #expect(lines.add("\n\nthree\n") == "three")
        #expect(lines.all == ["one", "two", "three"])
    }

    @Test("A plugin that prints without end fills no memory")
    func limit() {
        let lines = OutputLines()
        for number in 0..<2_000 { _ = lines.add("\(number)\n") }
        #expect(lines.all.count == 1_000 && lines.all.last == "1999")
        for _ in 0..<20 { _ = lines.add(String(repeating: "x", count: 10_000)) }
        #expect(lines.all.last?.count == 10_000)
    }
}
