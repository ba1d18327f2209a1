@testable import Console
import Testing

@Suite("Text of other code on its way to standard error")
struct RelayedOutputTests {
    /// What is written for pieces that come one after the other.
    private func text(of pieces: [(name: String?, text: String)]) -> String {
        var output = RelayedOutput()
        return pieces.map { output.text(of: $0.text.utf8, from: $0.name) }.joined() + output.endLine()
    }

    @Test("has the name of whoever wrote it before each line, and none where that is not known")
    func names() {
        #expect(
            text(of: [("a", "one\ntwo\n"), ("b", "three\n"), (nil, "four\n")]) == "a: one\na: two\nb: three\nfour\n")
    }

    @Test("keeps a line together that comes in pieces, and ends it when somebody else writes")
    func pieces() {
        #expect(text(of: [("a", "on"), ("a", "e\nt"), ("b", "x\n"), ("a", "wo")]) == "a: one\na: t\nb: x\na: wo\n")
    }

    @Test("does not steer a terminal")
    func escapes() {
        #expect(text(of: [("a\u{1B}", "\u{1B}[2J\tb\r\n")]) == "a\\u{1B}: \\u{1B}[2J\tb\\r\n")
    }

    @Test("keeps a character together that comes in pieces", arguments: ["é", "购", "🛒"])
    func characters(character: String) {
        var output = RelayedOutput()
        let written = Array("(\(character))\n".utf8).map { output.text(of: [$0], from: "a") }.joined()
        #expect(written == "a: (\(character))\n")
    }

    @Test("shows bytes that are no text as that, and goes on", arguments: [[0xFF], [0xC2], [0x80, 0x80, 0x80, 0x80]])
    func noText(bytes: [UInt8]) {
        var output = RelayedOutput()
        let written = output.text(of: [0x61] + bytes, from: nil) + output.text(of: [0x62, 0x0A], from: nil)
        #expect(written.first == "a" && written.hasSuffix("b\n") && written.contains("\u{FFFD}"))
    }
}
