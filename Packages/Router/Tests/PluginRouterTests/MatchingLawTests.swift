import PluginCore
import PluginRouter
import Testing

@Suite("Matching, whatever the patterns", .tags(.small))
struct MatchingLawTests {
    /// Random patterns that can be registered together, with random priorities.
    private static func table(_ dice: inout Dice, priorities: Bool) -> [(pattern: RoutePattern, priority: Int)] {
        var routes = ListedRoutes()
        var table: [(pattern: RoutePattern, priority: Int)] = []
        for _ in 0..<dice.count(1...12) {
            guard let pattern = try? RoutePattern(dice.pattern()) else { continue }
            let priority = priorities ? dice.count(-1...1) : 0
            guard (try? routes.add(pattern)) != nil else { continue }
            table.append((pattern, priority))
        }
        return table
    }

    private static func list(_ table: [(pattern: RoutePattern, priority: Int)]) throws -> RouteList {
        var routes = ListedRoutes()
        for (pattern, priority) in table { try routes.add(pattern, priority: priority) }
        return routes.list
    }

    private static func texts(_ captures: RouteCaptures) -> [String: [String]] {
        var texts = captures.texts.mapValues { [$0] }
        if let rest = captures.rest { texts[rest.name] = rest.segments }
        return texts
    }

    @Test(
        "A list finds what the reference matcher finds, and all patterns that match, in any order of registration",
        arguments: 0..<12 as Range<UInt64>)
    func reference(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        var hits = 0
        for round in 0..<40 {
            let table = Self.table(&dice, priorities: round.isMultiple(of: 2))
            let lists = try [table, table.reversed(), table.shuffled(using: &dice)].map(Self.list)
            let reference = ReferenceMatcher(patterns: table)
            for _ in 0..<30 {
                let text = dice.address()
                let uri = try ResourceURI(text)
                let expected = try reference.best(for: uri)
                if expected != nil { hits += 1 }
                let matching = table.map(\.pattern).filter { $0.captures(from: uri) != nil }.map(\.text).sorted()
                for list in lists {
                    #expect(list.matches(for: uri).map(\.value).sorted() == matching)
                    let match = list.first(for: uri)
                    let hint: Comment = "\(text) in \(table.map { "\($0.pattern) \($0.priority)" })"
                    #expect(match?.value == expected?.pattern, hint)
                    #expect(match.map { Self.texts($0.captures(from: uri)) } == expected?.captures, hint)
                }
            }
        }
        #expect(hits > 100)
    }

    @Test("The example of an expansion matches its pattern", arguments: 0..<10 as Range<UInt64>)
    func examples(seed: UInt64) throws {
        var dice = Dice(seed: 2000 + seed)
        for _ in 0..<200 {
            guard let pattern = try? RoutePattern(dice.pattern()) else { continue }
            for expansion in pattern.expansions {
                let uri = try ResourceURI(expansion.example)
                #expect(pattern.captures(from: uri) != nil, "\(pattern) and \(expansion.example)")
                #expect(!pattern.firstSegments.filter(RoutePattern.firstSegments(matching: uri).contains).isEmpty)
            }
        }
    }

    @Test("Matching never traps on random text", arguments: 0..<20 as Range<UInt64>)
    func noise(seed: UInt64) throws {
        var dice = Dice(seed: 3000 + seed)
        var routes = ListedRoutes()
        var (patterns, addresses) = (0, 0)
        for _ in 0..<2_000 {
            let text = dice.noise()
            do {
                try routes.add(try RoutePattern(text))
                patterns += 1
            } catch {
                #expect([.patternMalformed, .routeConflict].contains(error.code))
            }
        }
        let list = routes.list
        for _ in 0..<2_000 {
            let text = dice.noise()
            guard let uri = try? ResourceURI(text) else { continue }
            addresses += 1
            for match in list.matches(for: uri) {
                #expect(match.route.pattern.captures(from: uri) == match.captures(from: uri))
            }
        }
        #expect(patterns > 20 && addresses > 100)
    }
}
