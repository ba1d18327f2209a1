import PluginCore
import Testing

@Suite("Suggestions for mistyped words", .tags(.small))
struct NearestTests {
    @Test(
        "The distance of two words is the number of edits between them",
        arguments: [
            ("", "", 0), ("", "abc", 3), ("shop", "shop", 0), ("Shop", "shop", 0), ("shp", "shop", 1),
            ("hsop", "shop", 1), ("kitten", "sitting", 3), ("ca", "abc", 3), ("购物", "物购", 1), ("É", "é", 0),
        ]
    )
    func distance(one: String, other: String, edits: Int) {
        #expect(Nearest.distance(one, other) == edits)
        #expect(Nearest.distance(other, one) == edits)
    }

    @Test(
        "A near word, or the only word with the given prefix, is suggested, and a distant one is not",
        arguments: [
            ("instal", "install"), ("isntall", "install"), ("Install", "install"), ("inst", "install"),
            ("app://shp/cart", "app://shop/cart"), ("app://shop/crat", "app://shop/cart"), ("li", nil), ("x", nil),
            ("", nil), ("uninstallation", nil), ("app://other/thing", nil), ("re", nil), ("remov", "remove"),
            ("app", nil),
        ] as [(String, String?)]
    )
    func nearest(word: String, expected: String?) {
        let names = ["install", "list", "remove", "app://shop/cart", "app://shop/item"]
        #expect(Nearest.words(to: word, in: names).first == expected)
    }

    @Test("Suggestions are sorted by distance, keep the order of equals, and respect the limit")
    func order() {
        let names = ["roles!", "rulez", "role", "rules"]
        #expect(Nearest.words(to: "rulz", in: names) == ["rulez"])
        #expect(Nearest.words(to: "roles", in: names) == ["roles!", "role", "rules"])
        #expect(Nearest.words(to: "roles", in: names, limit: 1) == ["roles!"])
        #expect(Nearest.words(to: "roles", in: names, limit: 0).isEmpty)
        #expect(Nearest.words(to: "instal", in: ["uninstall", "install", "list"]) == ["install"])
    }

    @Test("A word without a common letter is not suggested, however short it is")
    func replaced() {
        #expect(Nearest.words(to: "x", in: ["a", "ab"]).isEmpty)
    }

    @Test("Extremely long words get no suggestions")
    func bounded() {
        let long = String(repeating: "a", count: 100_000)
        #expect(Nearest.words(to: long, in: [long + "b"]).isEmpty)
        #expect(Nearest.words(to: "aaa", in: [long, "aab"]) == ["aab"])
    }

    @Test("A reverse-domain name whose last label equals the word is suggested first")
    func identifiers() {
        let known = ["com.example.app.shop", "com.example.app.shows", "org.example.shop"]
        #expect(Nearest.identifiers(to: "shop", in: known) == ["com.example.app.shop", "org.example.shop"])
        #expect(Nearest.identifiers(to: "app.shows", in: known) == ["com.example.app.shows"])
        #expect(Nearest.identifiers(to: "com.example.app.shpo", in: known).first == "com.example.app.shop")
        #expect(Nearest.identifiers(to: "hop", in: known).isEmpty)
    }
}
