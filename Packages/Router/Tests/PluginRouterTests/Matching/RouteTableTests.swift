import PluginCore
import PluginRouter
import Testing

@Suite("A route table", .tags(.small))
struct RouteTableTests {
    private func list(_ patterns: String..., converters: RouteConverters = .standard) throws -> RouteList {
        try ListedRoutes(patterns, converters: converters).list
    }

    @Test(
        "A list rejects a second route with the same canonical key and names both owners, both patterns and an example",
        arguments: [
            ("shop/:id", "shop/:name", "shop/name"), ("a(/:x)/z", "a(/:y/w)/z", "a/z"), ("a#/b/", "a#b", "a#b"),
            ("APP://Shop/*", "app://shop/*", "app://shop/any"),
            ("t/:i<int>/**", "t/:j<int>/**more", "t/1"), ("f/:{a}-x.:b", "f/:{c}-x.:d", "f/c-x.d"),
        ]
    )
    func conflict(one: String, other: String, example: String) throws {
        var routes = ListedRoutes()
        try routes.add(try RoutePattern(one), owner: "com.example.one", priority: 7, value: "1")
        let error = #expect(throws: AtriumError.self) {
            try routes.add(try RoutePattern(other), owner: "com.example.other", value: "2")
        }
        #expect(error?.code == .routeConflict && error?.subject == other)
        #expect(
            error?.reason?.description
                == "routesConflict(conflict: bothMatch(example: \(example)), other: com.example.one, owner: com.example.other, pattern: \(one))"
        )
        #expect(routes.routes.count == 1)
        #expect(try routes.list.first(for: example)?.value == "1")
    }

    @Test("Of two converters that accept a segment the narrower takes precedence")
    func converters() throws {
        var converters = RouteConverters.standard
        converters.register(RouteConverter("even", breadth: 25, example: "2") { Int($0)?.isMultiple(of: 2) == true })
        converters.register(RouteConverter("slug", example: "a-b") { $0.allSatisfy { $0.isLetter || $0 == "-" } })
        let list = try list("t/:s<string>", "t/:w<slug>", "t/:n<int>", "t/:e<even>", converters: converters)
        let served = try ["t/2", "t/3", "t/red-socks", "t/4%20x", "t/%C3%A9"].map {
            try list.first(for: $0)?.value
        }
        #expect(served == ["t/:e<even>", "t/:n<int>", "t/:w<slug>", "t/:s<string>", "t/:w<slug>"])
        let error = #expect(throws: AtriumError.self) { try RoutePattern("t/:x<slug>") }
        #expect(error?.reason?.description == "converterUnknown(known: [bool, double, int, string, uuid], name: slug)")
    }

    @Test(
        "A double converter accepts finite values, and an int converter what 64 bits hold",
        arguments: [
            ("1e308", true), ("1.8e308", false), ("1.7976931348623157e308", true), ("1e309", false), ("0e999999", true),
            ("0.000001e313", true), ("0.00001e313", true), ("0.0001e313", false), ("1e-999999999999999999999", true),
            ("1e999999999999999999999999", false), (String(repeating: "9", count: 400), false), ("-12.5E+3", true),
            (String(repeating: "0", count: 400) + "1", true), ("1.", false), (".5", false), ("1e", false), ("+", false),
        ].map { ("double", $0, $1) }
            + [
                ("9223372036854775807", true), ("9223372036854775808", false), ("-9223372036854775808", true),
                ("-9223372036854775809", false), ("+0000000000000000000000001", true), ("-", false), ("1a", false),
                ("99999999999999999999", false),
            ].map { ("int", $0, $1) })
    func numbers(converter: String, text: String, isNumber: Bool) throws {
        #expect(try (list("x/:n<\(converter)>").first(for: "x/\(text)") != nil) == isNumber)
    }

    @Test("Matching stays fast on adversarial patterns and addresses", .timeLimit(.minutes(15)))
    func hostile() throws {
        let many = String(repeating: "a", count: 20_000)
        let captures = (0..<200).map { ":{c\($0)}a" }.joined()
        var routes = ListedRoutes()
        // Each of many captures could end anywhere; the text fails only at its end.
        try routes.add(try RoutePattern("partial/\(captures)b"), value: "partial")
        // Every prefix of every branch matches, and none to the end.
        for index in 0..<200 {
            let branch = (0..<12).map { (index >> ($0 % 8)) & 1 == 0 ? "x" : ":p\($0)" }.joined(separator: "/")
            try routes.add(try RoutePattern("tree/\(index)/\(branch)"), value: "tree")
            try? routes.add(try RoutePattern("\(branch)/end\(index)"), value: "tree")
        }
        let long = Array(repeating: ":", count: 30_000).enumerated().map { ":n\($0.offset)" }.joined(separator: "/")
        try routes.add(try RoutePattern("long/\(long)/end"), value: "long")
        let list = routes.list
        #expect(try list.first(for: "partial/\(many)") == nil)
        let partial = try ResourceURI("partial/\(many)b")
        #expect(list.first(for: partial)?.captures(from: partial).values.items.count == 200)
        for _ in 0..<1_000 { #expect(try list.first(for: "x/x/x/x/x/x/x/x/x/x/x/x/none") == nil) }
        let segments = Array(repeating: "x", count: 30_000).joined(separator: "/")
        #expect(try list.first(for: "long/\(segments)/end")?.value == "long")
        #expect(try list.first(for: "long/\(segments)/other") == nil)
        #expect(try list.first(for: "long/\(segments)/%65nd")?.value == "long")
    }

    @Test(
        "A pattern whose groups make too many expansions is rejected",
        arguments: [
            String(repeating: "(/a)", count: 11),
            String(repeating: "(/a", count: 5_000) + String(repeating: ")", count: 5_000),
            String(repeating: "(/a", count: 50_000), String(repeating: "(/a)", count: 50_000),
            "(/a)(/b)(/c)(/d)(/e)(/f)#(/a)(/b)(/c)(/d)(/e)",
        ]
    )
    func tooManyExpansions(text: String) {
        let error = #expect(throws: AtriumError.self) { try RoutePattern(text) }
        #expect(error?.code == .patternMalformed)
    }
}
