@testable import Console
import Testing

@Suite("Relayed output of other code", .tags(.small))
struct RelayedOutputTests {
    /// Returns the text that is written for a sequence of pieces.
    private func text(of pieces: [(name: String?, text: String)]) -> String {
        var output = RelayedOutput()
        return pieces.map { output.text(of: $0.text.utf8, from: $0.name) }.joined() + output.endLine()
    }

    @Test("Each line starts with the name of its writer, if it is known, and only another writer ends it early")
    func names() {
        #expect(
            text(of: [("a", "one\ntwo\n"), ("b", "three\n"), (nil, "four\n")]) == "a: one\na: two\nb: three\nfour\n")
        #expect(text(of: [("a", "on"), ("a", "e\nt"), ("b", "x\n"), ("a", "wo")]) == "a: one\na: t\nb: x\na: wo\n")
    }

    @Test("Control characters are escaped")
    func escapes() { #expect(text(of: [("a\u{1B}", "\u{1B}[2J\tb\r\n")]) == "a\\u{1B}: \\u{1B}[2J\tb\\r\n") }

    @Test("A character that is written in pieces stays together", arguments: ["é", "购", "🛒"])
    func characters(character: String) {
        var output = RelayedOutput()
        let written = Array("(\(character))\n".utf8).map { output.text(of: [$0], from: "a") }.joined()
        #expect(written == "a: (\(character))\n")
    }

    @Test(
        "Bytes that are not UTF-8 are replaced, and later text is intact",
        arguments: [[0xFF], [0xC2], [0x80, 0x80, 0x80, 0x80]])
    func noText(bytes: [UInt8]) {
        var output = RelayedOutput()
        let written = output.text(of: [0x61] + bytes, from: nil) + output.text(of: [0x62, 0x0A], from: nil)
        #expect(written.first == "a" && written.hasSuffix("b\n") && written.contains("\u{FFFD}"))
    }
}
