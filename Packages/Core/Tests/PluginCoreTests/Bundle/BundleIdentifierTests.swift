import PluginCore
import Testing

@Suite("Bundle identifiers", .tags(.small))
struct BundleIdentifierTests {
    @Test(
        "A reverse-domain name is an identifier",
        arguments: ["com.example", "com.example.app.shop", "org.a1.b-2", "a." + String(repeating: "b", count: 126)])
    func valid(text: String) throws {
        let identifier = try #require(BundleIdentifier(text))
        #expect(identifier.text == text && "\(identifier)" == text)
    }

    @Test(
        """
        An identifier is no path of another folder, and its labels consist of lowercase letters, digits and hyphens after a letter, \
        and have at most 128 bytes together
        """,
        arguments: [
            "", ".", "..", "./", "/", "../Host", "../../../../outside", "/tmp", "com.example.app.shop/",
            "com.example.app.shop/..", "com.example.app.shop/../com.example.app.other", "com.example..app",
            "com.example.app.shop\0", "a/b", "shop", "com.Example", "com.1example", "com.-example", "com.exa mple",
            "com.ex\u{e4}mple", "com.example.", ".com.example", "a." + String(repeating: "b", count: 127),
        ])
    func invalid(text: String) {
        #expect(BundleIdentifier(text) == nil)
    }

    @Test("Identifiers are ordered by their text")
    func order() {
        let identifiers: [BundleIdentifier] = ["com.b", "com.a.z", "com.a"]
        #expect(identifiers.sorted() == ["com.a", "com.a.z", "com.b"])
    }
}
