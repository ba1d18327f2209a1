import Console
import Testing

@testable import AppHost

@Suite("Addresses for completion", .tags(.small))
struct AddressItemsTests {
    private func texts(_ patterns: [String], _ prefix: String) -> [String] {
        AddressItems(patterns).candidates(for: prefix).map { $0.text + ($0.isPart ? "..." : "") }
    }

    @Test("A route stands for its literal beginning, which is open if something follows")
    func beginnings() {
        let expected = ["app://about", "app://about/...", "app://shop", "app://shop/item/...", "https://example.org/x"]
        #expect(texts(["shop", "shop/item/:id", "https://example.org/x", ":any", "about(/:page)"], "") == expected)
        #expect(texts(["shop", "shop/item/:id"], "app://shop/") == ["app://shop/item/..."])
    }

    @Test("A pattern that this host cannot read is left out")
    func invalid() { #expect(texts(["a/{{", "b"], "app://") == ["app://b"]) }
}
