import PluginCore
import PluginRouter
import Testing

@Suite("A route table")
struct RouteTableTests {
    private func matcher(_ patterns: String..., converters: RouteConverters = .standard) throws -> RouteMatcher<String>
    {
        var builder = RouteTableBuilder<String>()
        for pattern in patterns {
            try builder.add(try RoutePattern(pattern, converters: converters), owner: "test", value: pattern)
        }
        return builder.build()
    }

    @Test(
        "refuses a shape that is there, and names both owners, both patterns and an address that shows the clash",
        arguments: [
            ("shop/:id", "shop/:name", "shop/name"), ("a(/:x)/z", "a(/:y/w)/z", "a/z"), ("a#/b/", "a#b", "a#b"),
            ("APP://Shop/*", "app://shop/*", "app://shop/any"), ("t/:u<uuid>.json", "t", nil),
            ("t/:i<int>/**", "t/:j<int>/**more", "t/1"), ("f/:{a}-x.:b", "f/:{c}-x.:d", "f/c-x.d"),
        ] as [(String, String, String?)]
    )
    func conflict(one: String, other: String, example: String?) throws {
        guard let example else {
            #expect(throws: AtriumError.self) { try RoutePattern(one) }
            return
        }
        var builder = RouteTableBuilder<Int>()
        try builder.add(try RoutePattern(one), owner: "com.example.one", priority: 7, value: 1)
        let error = #expect(throws: AtriumError.self) {
            try builder.add(try RoutePattern(other), owner: "com.example.other", value: 2)
        }
        #expect(error?.code == .routeConflict)
        #expect(error?.subject == other)
        #expect(
            error?.detail
                == "com.example.other and com.example.one (\"\(one)\") both serve it, for example \"\(example)\"")
        #expect(builder.count == 1)
        #expect(builder.build().first(for: try ResourceURI(example))?.value == 1)
    }

    @Test("asks a higher priority first, however specific the rest")
    func priority() throws {
        var builder = RouteTableBuilder<String>()
        for (pattern, priority) in [("shop/new", 0), ("**", 1), ("shop/:id", 2), ("**all#x", 3)] {
            try builder.add(try RoutePattern(pattern), owner: "test", priority: priority, value: pattern)
        }
        let matcher = builder.build()
        let all = matcher.all(for: try ResourceURI("shop/new#x")).map(\.value)
        #expect(all == ["**all#x", "shop/:id", "**", "shop/new"])
        #expect(try matcher.first(for: "shop/new")?.value == "shop/:id")
    }

    @Test("knows the converters that it was given, the narrower first")
    func converters() throws {
        var converters = RouteConverters.standard
        converters.register(RouteConverter("even", breadth: 25, example: "2") { Int($0)?.isMultiple(of: 2) == true })
        converters.register(RouteConverter("slug", example: "a-b") { $0.allSatisfy { $0.isLetter || $0 == "-" } })
        let matcher = try matcher("t/:s<string>", "t/:w<slug>", "t/:n<int>", "t/:e<even>", converters: converters)
        let served = try ["t/2", "t/3", "t/red-socks", "t/4%20x", "t/%C3%A9"].map {
            try matcher.first(for: $0)?.value
        }
        #expect(served == ["t/:e<even>", "t/:n<int>", "t/:w<slug>", "t/:s<string>", "t/:w<slug>"])
        let error = #expect(throws: AtriumError.self) { try RoutePattern("t/:x<slug>") }
        #expect(error?.detail == "the converter \"slug\" is unknown; there are bool, double, int, string, uuid")
    }

    @Test("says that an address is malformed even when no route would look at the part")
    func malformed() throws {
        let matcher = try matcher("a")
        for text in ["a#%", "b?%zz", "a\0"] {
            let error = #expect(throws: AtriumError.self) { try matcher.first(for: text) }
            #expect(error?.code == .uriMalformed)
        }
    }

    @Test("gives an authority's route whatever its case, and the scheme's own before any scheme's")
    func authority() throws {
        let matcher = try matcher("Shop/x", "app://shop/x", "shop/:y")
        #expect(try matcher.first(for: "APP://SHOP/x")?.value == "app://shop/x")
        #expect(try matcher.first(for: "web://SHOP/x")?.value == "Shop/x")
        #expect(try matcher.first(for: "shop/x")?.value == "shop/:y")
        #expect(try matcher.first(for: "web:///SHOP/x") == nil)
    }

    @Test("takes all routes of an owner away, and gives their shapes free")
    func removal() throws {
        var builder = RouteTableBuilder<String>()
        for (pattern, owner) in [("a/:x", "one"), ("a/b", "two"), ("c(/:y)", "one"), ("d", "two")] {
            try builder.add(try RoutePattern(pattern), owner: owner, value: pattern)
        }
        let before = builder.build()
        builder.removeAll(of: "one")
        builder.removeAll(of: "nobody")
        #expect(builder.count == 2)
        try builder.add(try RoutePattern("c/:z"), owner: "three", value: "c/:z")
        let after = builder.build()
        let addresses = ["a/b", "a/c", "c", "c/1", "d"]
        #expect(try addresses.map { try before.first(for: $0)?.value } == ["a/b", "a/:x", "c(/:y)", "c(/:y)", "d"])
        #expect(try addresses.map { try after.first(for: $0)?.value } == ["a/b", nil, nil, "c/:z", "d"])
    }

    @Test("tells literals apart that have much in common, few or many", arguments: [3, 30, 3_000])
    func literals(count: Int) throws {
        var builder = RouteTableBuilder<Int>()
        // Of the same length, and the same in their first and last eight bytes.
        func text(_ number: Int) -> String { "aaaaaaaa\(1_000_000 + number)bbbbbbbb" }
        for number in 0..<count {
            try builder.add(try RoutePattern("x/\(text(number))"), owner: "test", value: number)
            try builder.add(try RoutePattern("\(text(number))/:y"), owner: "test", value: -number)
        }
        let matcher = builder.build()
        for number in 0..<count {
            #expect(try matcher.first(for: "x/\(text(number))")?.value == number)
            #expect(try matcher.first(for: "app://\(text(number).uppercased())/y")?.value == -number)
            #expect(try matcher.first(for: "x/\(text(number)).") == nil)
        }
        #expect(try matcher.first(for: "x/\(text(count))") == nil)
        #expect(try matcher.first(for: "x/") == nil)
    }

    @Test(
        "takes for a double what has a finite value",
        arguments: [
            ("1e308", true), ("1.8e308", false), ("1.7976931348623157e308", true), ("1e309", false), ("0e999999", true),
            ("0.000001e313", true), ("0.00001e313", true), ("0.0001e313", false), ("1e-999999999999999999999", true),
            ("1e999999999999999999999999", false), (String(repeating: "9", count: 400), false), ("-12.5E+3", true),
            (String(repeating: "0", count: 400) + "1", true), ("1.", false), (".5", false), ("1e", false), ("+", false),
        ]
    )
    func doubles(text: String, isDouble: Bool) throws {
        let matcher = try matcher("x/:d<double>")
        #expect(try (matcher.first(for: "x/\(text)") != nil) == isDouble)
    }

    @Test(
        "takes for an int what 64 bits hold",
        arguments: [
            ("9223372036854775807", true), ("9223372036854775808", false), ("-9223372036854775808", true),
            ("-9223372036854775809", false), ("+0000000000000000000000001", true), ("-", false), ("1a", false),
            ("99999999999999999999", false),
        ]
    )
    func ints(text: String, isInt: Bool) throws {
        let matcher = try matcher("x/:i<int>")
        #expect(try (matcher.first(for: "x/\(text)") != nil) == isInt)
    }

    @Test("stays fast when patterns and addresses are made to make it slow", .timeLimit(.minutes(15)))
    func hostile() throws {
        let many = String(repeating: "a", count: 20_000)
        let captures = (0..<200).map { ":{c\($0)}a" }.joined()
        var builder = RouteTableBuilder<String>()
        // Each of many captures could end anywhere; the text fails only at its end.
        try builder.add(try RoutePattern("partial/\(captures)b"), owner: "test", value: "partial")
        // Every prefix of every branch matches, and none to the end.
        for index in 0..<200 {
            let branch = (0..<12).map { (index >> ($0 % 8)) & 1 == 0 ? "x" : ":p\($0)" }.joined(separator: "/")
            try builder.add(try RoutePattern("tree/\(index)/\(branch)"), owner: "test", value: "tree")
            try? builder.add(try RoutePattern("\(branch)/end\(index)"), owner: "test", value: "tree")
        }
        let long = Array(repeating: ":", count: 30_000).enumerated().map { ":n\($0.offset)" }.joined(separator: "/")
        try builder.add(try RoutePattern("long/\(long)/end"), owner: "test", value: "long")
        let matcher = builder.build()
        #expect(try matcher.first(for: "partial/\(many)") == nil)
        #expect(try matcher.first(for: "partial/\(many)b")?.captures.values.count == 200)
        for _ in 0..<1_000 { #expect(try matcher.first(for: "x/x/x/x/x/x/x/x/x/x/x/x/none") == nil) }
        let segments = Array(repeating: "x", count: 30_000).joined(separator: "/")
        #expect(try matcher.first(for: "long/\(segments)/end")?.value == "long")
        #expect(try matcher.first(for: "long/\(segments)/other") == nil)
        #expect(try matcher.first(for: "long/\(segments)/%65nd")?.value == "long")
    }

    @Test(
        "refuses a pattern whose groups make too many forms",
        arguments: [
            String(repeating: "(/a)", count: 11),
            String(repeating: "(/a", count: 5_000) + String(repeating: ")", count: 5_000),
            String(repeating: "(/a", count: 50_000), String(repeating: "(/a)", count: 50_000),
            "(/a)(/b)(/c)(/d)(/e)(/f)#(/a)(/b)(/c)(/d)(/e)",
        ]
    )
    func tooManyForms(text: String) {
        let error = #expect(throws: AtriumError.self) { try RoutePattern(text) }
        #expect(error?.code == .patternMalformed)
    }
}
