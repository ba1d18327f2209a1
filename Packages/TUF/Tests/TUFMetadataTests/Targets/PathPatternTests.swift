import Testing
import TUFMetadata

@Suite("Patterns of delegations", .tags(.small))
struct PathPatternTests {
    @Test(
        "match as in a shell",
        arguments: [
            ("targets/*.tgz", "targets/foo.tgz", true), ("targets/*.tgz", "targets/foo.txt", false),
            ("foo-version-?.tgz", "foo-version-2.tgz", true), ("foo-version-?.tgz", "foo-version-alpha.tgz", false),
            ("*.tgz", "foo.tgz", true), ("*.tgz", "targets/foo.tgz", false), ("foo.tgz", "foo.tgz", true),
            ("foo.tgz", "foo-tgz", false), ("*", "", true), ("*", "a", true), ("*", "a/b", false), ("*/*", "a/b", true),
            ("", "", true), ("", "a", false), ("?", "", false), ("?", "é", true), ("?", "/", false),
            ("a*b*c", "aXbYbc", true),
            ("a*b*c", "aXbYbd", false), ("**", "abc", true), ("*a", "aaa", true), ("[ab]c", "bc", true),
            ("[ab]c", "cc", false),
            ("[a-c]x", "bx", true), ("[!a-c]x", "bx", false), ("[!a-c]x", "dx", true), ("[]]x", "]x", true),
            ("[c-a]x", "bx", false), ("[abc", "[abc", true), ("[!", "[!", true), ("[a/b]", "a", false),
            ("A", "a", false), ("/a", "a", false),
            ("a/", "a", false), ("\\*", "\\x", true), ("a.b", "axb", false),
        ])
    func matching(_ pattern: String, _ path: String, _ isMatch: Bool) {
        #expect(PathPattern(pattern).matches(path) == isMatch)
    }

    @Test("of many stars take no exponential time")
    func manyStars() {
        let pattern = String(repeating: "*a", count: 100) + "*b"
        #expect(!PathPattern(pattern).matches(String(repeating: "a", count: 5000)))
    }
}
