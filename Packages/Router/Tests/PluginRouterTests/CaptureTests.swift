import PluginCore
import PluginRouter
import Testing

@Suite("The captures of a match")
struct CaptureTests {
    private func matcher(_ patterns: String...) throws -> RouteMatcher<String> {
        var builder = RouteTableBuilder<String>()
        for pattern in patterns { try builder.add(try RoutePattern(pattern), owner: "test", value: pattern) }
        return builder.build()
    }

    @Test(
        "are told as places in the address, in the pattern's order, and decoded when asked for",
        arguments: [
            ("a/:x/b/:y", "a/1/b/2", ["x=1", "y=2"]),
            ("app://:host/:x", "App://Shop/caf%C3%A9?q", ["host=Shop", "x=caf%C3%A9"]),
            ("img/:{name}-x.:{ext}", "img/a-x-x.tar.gz", ["name=a-x", "ext=tar.gz"]),
            ("img/:{name}.:{ext}", "img/%41%2Eb.gz", ["name=%41%2Eb", "ext=gz"]),
            ("a/:x/**rest", "a/1/b//c/", ["x=1", "rest=b//c"]), ("a/**rest", "a/", ["rest="]),
            ("d/:x#/p/:n<int>", "d/1?q=2#/p/3?z", ["x=1", "n=3"]), ("(/:a)/z(/:b)", "z/2", ["b=2"]),
            ("*/:x", "a/b", ["x=b"]), ("a", "a", []),
        ]
    )
    func places(pattern: String, address: String, expected: [String]) throws {
        let bytes = Array(address.utf8)
        let found = try matcher(pattern).withFirst(for: address) { match in
            var found: [String] = []
            match.forEachCapture { capture in
                let text = String(decoding: bytes[capture.range], as: UTF8.self)
                found.append("\(match.name(of: capture))=\(text)")
            }
            return found
        }
        #expect(found == expected)
    }

    @Test("say how many segments a rest has, none and an empty one included")
    func restCounts() throws {
        let matcher = try matcher("a/**rest")
        let counts = try ["a", "a//", "a/b", "a/b//", "a/%2F/c"].map { address in
            var count = -1
            try matcher.first(for: address)?.forEachCapture { count = $0.segmentCount }
            return count
        }
        #expect(counts == [0, 1, 1, 2, 2])
    }

    @Test("are found by name, and a name that is not there is nothing")
    func byName() throws {
        let matcher = try matcher("shop/:id/:{name}.html", "long/:x")
        let match = try matcher.first(for: "shop/caf%C3%A9/a%2Fb.html")
        #expect(match?.capture("id") == "café")
        #expect(match?.capture("name") == "a/b")
        #expect(match?.capture("x") == nil)
        let long = String(repeating: "y", count: 100)
        #expect(try matcher.withFirst(for: "long/\(long)") { $0.capture("x") } == long)
    }

    @Test("of one match asked of another are no crash")
    func mixedUp() throws {
        let matcher = try matcher("a/:x/:y/:z", "b/:w")
        var captures: [RouteCapture] = []
        try matcher.first(for: "a/one/two/a-long-text-that-the-other-address-does-not-have")?
            .forEachCapture { captures.append($0) }
        let other = try #require(try matcher.first(for: "b/1"))
        #expect(captures.map { other.name(of: $0) } == ["w", "", ""])
        #expect(captures.map { other.text(of: $0) }.last == "")
    }
}
