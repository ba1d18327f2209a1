import PluginCore
import Testing

@Suite("The nearest word")
struct NearestTests {
    @Test(
        "is counted in edits",
        arguments: [
            ("", "", 0), ("", "abc", 3), ("shop", "shop", 0), ("Shop", "shop", 0), ("shp", "shop", 1),
            ("hsop", "shop", 1), ("kitten", "sitting", 3), ("ca", "abc", 3),
        ]
    )
    func distance(one: String, other: String, edits: Int) {
        #expect(Nearest.distance(one, other) == edits)
        #expect(Nearest.distance(other, one) == edits)
    }

    @Test("comes first, and what is far away not at all")
    func words() {
        #expect(Nearest.words(to: "instal", in: ["uninstall", "install", "list"]) == ["install"])
        #expect(Nearest.words(to: "x", in: ["shop", "orders"]).isEmpty)
    }
}
