import PluginCore
import PluginRouter
import Testing

@Suite("Creating addresses from patterns", .tags(.small))
struct PrintingTests {
    @Test(
        "A pattern creates the address that it matches",
        arguments: [
            ("shop/item/:id", ["id": "a/b c"], [], "app://shop/item/a%2Fb%20c"),
            ("web://Shop/:id<int>", ["id": "-7"], [], "web://Shop/-7"),
            ("shop(/:category(/:sort))/all", [:], [], "app://shop/all"),
            ("shop(/:category(/:sort))/all", ["category": "x"], [], "app://shop/x/all"),
            ("shop(/:category(/:sort))/all", ["category": "x", "sort": "y"], [], "app://shop/x/y/all"),
            ("shop(/new)(/:id)", ["id": "1"], [], "app://shop/1"),
            ("img/:{name}-x.:{ext}", ["name": "a-b", "ext": "png"], [], "app://img/a-b-x.png"),
            ("files/**path", [:], ["a", "b/c"], "app://files/a/b%2Fc"), ("files/**", [:], [], "app://files"),
            ("files/**", [:], ["", "a", ""], "app://files//a//"), ("**", [:], ["", "a"], "app:////a"),
            ("files(/**)", [:], [], "app://files"), ("files(/**)", [:], ["x"], "app://files/x"),
            ("doc/:d#/page/:n", ["d": "1", "n": "2"], [], "app://doc/1#/page/2"), ("doc#", [:], [], "app://doc#"),
            ("a/%3Ax/%2F", [:], [], "app://a/%3Ax/%2F"), ("", [:], [], "app://"),
            ("a(/*)(/:x)", ["x": "1"], [], "app://a/1"),
        ] as [(String, [String: String], [String], String)]
    )
    func prints(pattern: String, captures: [String: String], rest: [String], text: String) throws {
        let parts = AddressParts(captures: captures, rest: rest)
        #expect(try RoutePattern(pattern).address(parts, scheme: "app").text == text)
    }

    @Test("The query comes before the fragment, and the scheme is optional")
    func query() throws {
        let parts = AddressParts(captures: ["n": "2"], query: ["a": "1", "b": "x&y", "a": ""])
        #expect(try RoutePattern("doc#/page/:n").address(parts).text == "doc?a=1&b=x%26y&a=#/page/2")
        #expect(try RoutePattern("a/:x").address(AddressParts(captures: ["x": "app://b"])).text == "a/app%3A%2F%2Fb")
    }

    @Test(
        "Creating an invalid address fails with the name of the parameter",
        arguments: [
            ("a/:x", [:], [], .parameterMissing, "x"), ("a(/:x/:y)", ["x": "1"], [], .parameterMissing, "y"),
            ("a(/:x(/:y))", ["y": "1"], [], .parameterMissing, "x"), ("a/*", [:], [], .parameterMissing, "*"),
            ("a/:x", ["x": ""], [], .parameterType, "x"), ("a/:x<int>", ["x": "one"], [], .parameterType, "x"),
            ("a/:x", ["x": "1", "z": "2"], [], .parameterType, "z"), ("a/:x", ["x": "a\0b"], [], .parameterType, "x"),
            ("a", [:], ["b"], .parameterType, "rest"), ("**all", [:], [""], .parameterType, "all"),
            ("a/:{x}.:{y}", ["x": "1", "y": "2.3"], [], .parameterType, "x"),
            ("a(/:x<int>)(/:y)", ["y": "1"], [], .parameterType, "y"),
            ("a//b", [:], [], .patternMalformed, "a//b"),
        ] as [(String, [String: String], [String], AtriumError.Code, String)]
    )
    func refuses(
        pattern: String, captures: [String: String], rest: [String], code: AtriumError.Code, subject: String
    ) throws {
        let pattern = try RoutePattern(pattern)
        let error = #expect(throws: AtriumError.self) {
            try pattern.address(AddressParts(captures: captures, rest: rest), scheme: "app")
        }
        #expect(error?.code == code && error?.subject == subject)
        #expect(error?.reason != nil)
    }

    @Test("An invalid scheme is rejected", arguments: ["", "1app", "a b", "app://x", "a%"])
    func scheme(scheme: String) throws {
        let error = #expect(throws: AtriumError.self) { try RoutePattern("a").address(AddressParts(), scheme: scheme) }
        #expect(error?.code == .uriMalformed)
    }

    @Test(
        "A created address matches with the same parts, for random patterns and parts",
        arguments: 0..<20 as Range<UInt64>)
    func law(seed: UInt64) throws {
        var dice = Dice(seed: 4000 + seed)
        var (printed, refused) = (0, 0)
        for _ in 0..<400 {
            guard let pattern = try? RoutePattern(dice.pattern()) else { continue }
            let (parts, scheme) = Self.parts(for: pattern, &dice)
            let hint: Comment = "\(pattern) with \(parts)"
            do {
                let uri = try pattern.address(parts, scheme: scheme)
                let captures = try #require(pattern.captures(from: uri), hint)
                #expect(captures.texts == parts.captures, hint)
                #expect(captures.rest?.segments ?? [] == parts.rest, hint)
                #expect(uri.parameters == parts.query, hint)
                #expect(uri.scheme == pattern.scheme ?? scheme, hint)
                #expect(try ResourceURI(uri.text) == uri, hint)
                // An independent implementation agrees.
                let other = try #require(try ReferenceMatcher(patterns: [(pattern, 0)]).best(for: uri)?.captures, hint)
                let rest = captures.rest.map { [$0.name: $0.segments] } ?? [:]
                #expect(other == captures.texts.mapValues { [$0] }.merging(rest) { $1 }, hint)
                printed += 1
            } catch let error as AtriumError {
                let codes: [AtriumError.Code] = [.parameterMissing, .parameterType, .patternMalformed]
                #expect(codes.contains(error.code), "\(error) for \(hint)")
                refused += 1
            }
        }
        #expect(printed > 100 && refused > 20)
    }

    @Test("An address can always be created from the captures of a match", arguments: 0..<10 as Range<UInt64>)
    func inverse(seed: UInt64) throws {
        var dice = Dice(seed: 5000 + seed)
        var printed = 0
        for _ in 0..<4_000 {
            guard let pattern = try? RoutePattern(dice.pattern()), !pattern.text.contains("/*") || dice.isLucky(0.1)
            else { continue }
            let uri = try ResourceURI(dice.address())
            guard let captures = pattern.captures(from: uri) else { continue }
            let parts = AddressParts(
                captures: captures.texts, rest: captures.rest?.segments ?? [], query: uri.parameters)
            do {
                let again = try pattern.address(parts, scheme: uri.scheme)
                #expect(pattern.captures(from: again)?.values == captures.values)
                printed += 1
            } catch {
                #expect(error.subject == "*", "\(error) for \(pattern) with \(parts)")
            }
        }
        #expect(printed > 50)
    }

    /// Returns parts that are likely to fit one of the pattern's expansions.
    private static func parts(for pattern: RoutePattern, _ dice: inout Dice) -> (AddressParts, scheme: String?) {
        let texts = [
            "a", "b", "1", "-2.5", "true", "a.b", "x.b.b", "é", "e\u{301}", "a/b", "://", "%2F", " ", "app://x",
        ]
        var parts = AddressParts()
        let expansion = pattern.expansions[dice.count(0...pattern.expansions.count - 1)]
        for segment in expansion.path + (expansion.fragment ?? []) {
            switch segment {
            case .literal, .any: continue
            case .rest: parts.rest = (0..<dice.count(0...3)).map { _ in dice.one(of: texts + ["", ""]) }
            case .typed(let name, let converter):
                parts.captures[name] = dice.isLucky(0.8) ? converter.example : dice.one(of: texts)
            case .capture(let name): parts.captures[name] = dice.one(of: texts)
            case .partial(let partial): for name in partial.names { parts.captures[name] = dice.one(of: texts) }
            }
        }
        if let name = parts.captures.keys.min(), dice.isLucky(0.1) { parts.captures[name] = dice.one(of: ["", "\0"]) }
        if dice.isLucky(0.05) { parts.captures["stranger"] = "x" }
        let items = (0..<dice.count(0...2)).map { _ in
            URIParameters.Item(name: dice.one(of: texts + [""]), value: dice.one(of: texts + [""]))
        }
        parts.query = URIParameters(items)
        return (parts, dice.isLucky(0.5) ? "app" : nil)
    }
}
