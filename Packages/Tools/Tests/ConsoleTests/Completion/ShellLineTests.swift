import Testing

@testable import Console

@Suite("Lines of a shell", .tags(.small))
struct ShellLineTests {
    private static let separators = " \t\n\"'@><=;|&(:"

    @Test(
        "A line is split as a shell splits it, and the last word is open",
        arguments: [
            ("p", [], "p"), ("p ", ["p"], ""), ("p a b", ["p", "a"], "b"), (#"p "a b" c\ d"#, ["p", "a b"], "c d"),
            (#"p 'it'\''s' x"#, ["p", "it's"], "x"), (#"p "a\"b\x"#, ["p"], #"a"b\x"#), ("p '' x", ["p", ""], "x"),
            ("p 'a b", ["p"], "a b"), (#"p "grün "#, ["p"], "grün "),
        ])
    func words(line: String, words: [String], current: String) {
        let read = ShellLine(line)
        #expect(read.words == words && read.current == current)
    }

    @Test(
        "The inserted text replaces what the shell replaces, and means the word",
        arguments: [
            ("p app://sh", "app://shop", "//shop"), ("p 'app://sh", "app://shop", "app://shop"),
            (#"p "app://sh"#, "app://shop", "app://shop"), ("p id@1", "id@1.0", "@1.0"),
            ("p --a=x", "--a=x y", #"x\ y"#),
            ("p it", "it's", #"it\'s"#), ("p 'it", "it's", #"it'\''s"#), (#"p "a"#, #"a"$b"#, #"a\"\$b"#),
            (#"p a\:b"#, "a:bc", "a:bc"), ("p x", "x$(rm)", #"x\$\(rm\)"#),
        ])
    func insertion(line: String, word: String, inserted: String) {
        #expect(ShellLine(line, separators: Self.separators).insertion(of: word) == inserted)
    }
}
