import PluginCore
import Testing

@Suite("The nearest word")
struct NearestTests {
    @Test(
        "is counted in edits",
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
        "is what is near, or the only word begun, and nothing that is far",
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

    @Test("comes first; of equals the first; and not more than asked for")
    func order() {
        let names = ["roles!", "rulez", "role", "rules"]
        #expect(Nearest.words(to: "rulz", in: names) == ["rulez"])
        #expect(Nearest.words(to: "roles", in: names) == ["roles!", "role", "rules"])
        #expect(Nearest.words(to: "roles", in: names, limit: 1) == ["roles!"])
        #expect(Nearest.words(to: "roles", in: names, limit: 0).isEmpty)
        #expect(Nearest.words(to: "instal", in: ["uninstall", "install", "list"]) == ["install"])
    }

    @Test("is not a word that shares no letter, however short it is")
    func replaced() {
        #expect(Nearest.words(to: "x", in: ["a", "ab"]).isEmpty)
    }

    @Test("is not looked for among words of absurd length")
    func bounded() {
        let long = String(repeating: "a", count: 100_000)
        #expect(Nearest.words(to: long, in: [long + "b"]).isEmpty)
        #expect(Nearest.words(to: "aaa", in: [long, "aab"]) == ["aab"])
    }

    @Test("of reverse-domain names is first of all one that ends with the word")
    func identifiers() {
        let known = ["com.example.app.shop", "com.example.app.shows", "org.example.shop"]
        #expect(Nearest.identifiers(to: "shop", in: known) == ["com.example.app.shop", "org.example.shop"])
        #expect(Nearest.identifiers(to: "app.shows", in: known) == ["com.example.app.shows"])
        #expect(Nearest.identifiers(to: "com.example.app.shpo", in: known).first == "com.example.app.shop")
        #expect(Nearest.identifiers(to: "hop", in: known).isEmpty)
    }
}
