import PluginCore
import PluginRouter
import Testing

@Suite("The captures of a match", .tags(.small))
struct CaptureTests {
    private func captures(_ pattern: String, _ address: String) throws -> RouteCaptures {
        let uri = try ResourceURI(address)
        return try #require(try ListedRoutes([pattern]).list.first(for: uri)).captures(from: uri)
    }

    @Test(
        "A match has the decoded text of each capture by name",
        arguments: [
            ("a/:x/b/:y", "a/1/b/2", ["x": "1", "y": "2"]),
            ("app://:host/:x", "App://Shop/caf%C3%A9?q", ["host": "Shop", "x": "café"]),
            ("img/:{name}-x.:{ext}", "img/a-x-x.tar.gz", ["name": "a-x", "ext": "tar.gz"]),
            ("img/:{name}.:{ext}", "img/%41%2Eb.gz", ["name": "A.b", "ext": "gz"]),
            ("shop/:id/:{name}.html", "shop/caf%C3%A9/a%2Fb.html", ["id": "café", "name": "a/b"]),
            ("a/:x/**rest", "a/1/b//c/", ["x": "1"]), ("d/:x#/p/:n<int>", "d/1?q=2#/p/3?z", ["x": "1", "n": "3"]),
            ("(/:a)/z(/:b)", "z/2", ["b": "2"]), ("*/:x", "a/b", ["x": "b"]), ("a", "a", [:]),
            ("long/:x", "long/" + String(repeating: "y", count: 100), ["x": String(repeating: "y", count: 100)]),
        ] as [(String, String, [String: String])]
    )
    func values(pattern: String, address: String, expected: [String: String]) throws {
        #expect(try captures(pattern, address).texts == expected)
    }

    @Test(
        "A double-star capture has all remaining segments, empty ones included",
        arguments: [
            ("a", []), ("a//", [""]), ("a/b", ["b"]), ("a/b//", ["b", ""]), ("a/%2F/c", ["/", "c"]), ("a/", []),
        ] as [(String, [String])])
    func rest(address: String, segments: [String]) throws {
        let rest = try #require(try captures("a/**more", address).rest)
        #expect(rest.name == "more")
        #expect(rest.segments == segments)
    }
}
