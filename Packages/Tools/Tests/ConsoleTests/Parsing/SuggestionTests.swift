import Console
import Testing

struct SuggestionTests {
    @Test(
        "counts insertions, deletions, substitutions and swaps",
        arguments: [
            ("", "", 0), ("abc", "", 3), ("", "abc", 3), ("abc", "abc", 0), ("abc", "abd", 1), ("abc", "acb", 1),
            ("ca", "abc", 2), ("kitten", "sitting", 3), ("购物", "物购", 1),
        ])
    func distances(a: String, b: String, distance: Int) {
        #expect(Suggestion.distance(a, b) == distance)
        #expect(Suggestion.distance(b, a) == distance)
    }

    @Test(
        "suggests what is near, and nothing that is not",
        arguments: [
            ("instal", "install"), ("isntall", "install"), ("Install", "install"), ("inst", "install"),
            ("app://shp/cart", "app://shop/cart"), ("app://shop/crat", "app://shop/cart"), ("li", nil), ("x", nil),
            ("", nil), ("uninstallation", nil), ("app://other/thing", nil), ("re", nil), ("remov", "remove"),
            ("app", nil),
        ] as [(String, String?)])
    func nearest(word: String, expected: String?) {
        let names = ["install", "list", "remove", "app://shop/cart", "app://shop/item"]
        #expect(Suggestion.nearest(to: word, in: names) == expected)
    }

    @Test("prefers the nearer candidate, then the first")
    func ties() {
        #expect(Suggestion.nearest(to: "roles", in: ["rules", "role", "roles!"]) == "rules")
        #expect(Suggestion.nearest(to: "roles", in: ["rulez", "rules"]) == "rules")
    }

    @Test("does not compare words of absurd length")
    func bounded() {
        let long = String(repeating: "a", count: 100_000)
        #expect(Suggestion.nearest(to: long, in: [long + "b"]) == nil)
        #expect(Suggestion.nearest(to: "aaa", in: [long, "aab"]) == "aab")
    }
}
