import PluginCore
import PluginRouter
import Testing

@Suite("Route patterns", .tags(.small))
struct RoutePatternTests {
    @Test(
        "A malformed pattern is rejected",
        arguments: [
            "a/:", "a/:1", ":x/:x", ":rest/**", "a/**/b", "a/**(/b)", "a(/**)/b", "a/***", "a/**1", "a/b*", "a/*b",
            "a(/b", "a/b)",
            "a(b)", "a(/)", "a(/b)c", "a/(/b)", "a(/b#)", "a#b#c", "a?b=c", "a/:{x", "a/x}", "a/:{}", "a/:{x-y}",
            "a/:x<int",
            "a/:x<Int>", "a/:x<int>.html", "a/v:x<int>", "a/:{x}<int>", "a/<x>", "a/**#**", "a/%zz", "a/%00", "a/%FF",
        ]
    )
    func malformed(text: String) {
        let error = #expect(throws: AtriumError.self) { try RoutePattern(text) }
        #expect(error?.code == .patternMalformed && error?.subject == text)
    }

    @Test(
        "Two patterns have the same canonical key exactly if they match the same addresses",
        arguments: [
            ("a/:x", "/a/:y/", true), ("APP://Shop/a", "app://shop/a", true), ("a/%62", "a/b", true),
            ("shop/a", "Shop/a", false), ("a/:x", "a/b", false), ("app://a", "a", false), ("a/%2F", "a//", false),
            ("a/%3Ax", "a/:x", false), ("a/:{x}", "a/:y", true), ("a/:x.html", "a/:{y}.html", true),
            ("a/:x<int>", "a/:y<int>", true), ("a/:x<int>", "a/:y", false), ("a/**", "a/**b", true),
            ("a/:x", "a/*", false),
            ("a#/b/", "a#b", true), ("a#", "a", false), ("a/%2A", "a/*", false), ("a(/:x)", "a(/:y)", true),
        ]
    )
    func canonicalKeys(one: String, other: String, same: Bool) throws {
        #expect(try (RoutePattern(one).canonicalKeys == RoutePattern(other).canonicalKeys) == same)
    }
}
