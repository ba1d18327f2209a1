import PluginCore
import Testing

@testable import PluginRouter

@Suite("Suggestions for an unknown address", .tags(.small))
struct AddressSuggestionTests {
    @Test("An address that is too long to be mistyped gets no suggestions, and no route is tried for it")
    func longAddress() throws {
        let asked = Counter()
        var converters = RouteConverters.standard
        converters.register(RouteConverter("counted", example: "x") { _ in asked.next() > 0 })
        let patterns = (0..<50).map { "r\($0)/:first<counted>/**" }
        func nearest(to address: String) throws -> [String] {
            AddressSuggestion.nearest(to: try ResourceURI(address), in: patterns, converters: converters)
        }
        #expect(try nearest(to: "app://r77/a/b").count == 3)
        #expect(asked.value == 50)
        let long = "app://r77" + String(repeating: "/a", count: 60_000)
        #expect(try nearest(to: long) == [])
        #expect(asked.value == 50)
    }
}
