import PluginCore
import PluginRouter
import Testing

@Suite("Matching, whatever the patterns")
struct MatchingLawTests {
    /// Random patterns that can be registered together, with random priorities.
    private static func table(_ dice: inout Dice, priorities: Bool) -> [(pattern: RoutePattern, priority: Int)] {
        var builder = RouteTableBuilder<Int>()
        var table: [(pattern: RoutePattern, priority: Int)] = []
        for _ in 0..<dice.count(1...12) {
            guard let pattern = try? RoutePattern(dice.pattern()) else { continue }
            let priority = priorities ? dice.count(-1...1) : 0
            guard (try? builder.add(pattern, owner: "", value: 0)) != nil else { continue }
            table.append((pattern, priority))
        }
        return table
    }

    private static func matcher(_ table: [(pattern: RoutePattern, priority: Int)]) throws -> RouteMatcher<String> {
        var builder = RouteTableBuilder<String>()
        for (pattern, priority) in table {
            try builder.add(pattern, owner: "test", priority: priority, value: pattern.text)
        }
        return builder.build()
    }

    private static func texts(_ captures: RouteCaptures) -> [String: [String]] {
        var texts = captures.values.mapValues { [$0] }
        if let rest = captures.rest { texts[rest.name] = rest.segments }
        return texts
    }

    /// The same, put together from one capture after the other.
    private static func texts(_ match: borrowing RouteMatcher<String>.MatchView) -> [String: [String]] {
        var texts: [String: [String]] = [:]
        match.forEachCapture { capture in
            let name = match.name(of: capture)
            guard name == match.captures.rest?.name else {
                texts[name] = [match.text(of: capture)]
                return
            }
            let segments = match.captures.rest?.segments ?? []
            #expect(capture.segmentCount == segments.count)
            #expect(match.text(of: capture) == segments.joined(separator: "/"))
            texts[name] = segments
        }
        return texts
    }

    @Test("is what trying everything gives, in any order of registration", arguments: 0..<12 as Range<UInt64>)
    func reference(seed: UInt64) throws {
        var dice = Dice(seed: seed)
        var hits = 0
        for round in 0..<40 {
            let table = Self.table(&dice, priorities: round.isMultiple(of: 2))
            let matchers = try [table, table.reversed(), table.shuffled(using: &dice)].map(Self.matcher)
            let reference = ReferenceMatcher(patterns: table)
            for _ in 0..<30 {
                let text = dice.address()
                let uri = try ResourceURI(text)
                let expected = try reference.best(for: uri)
                if expected != nil { hits += 1 }
                for matcher in matchers {
                    let match = matcher.first(for: uri)
                    let hint: Comment = "\(text) in \(table.map { "\($0.pattern) \($0.priority)" })"
                    #expect(match?.value == expected?.pattern, hint)
                    #expect(match.map { Self.texts($0.captures) } == expected?.captures, hint)
                    #expect(try matcher.first(for: text)?.value == match?.value, hint)
                    #expect(try matcher.withFirst(for: text) { Self.texts($0) } == expected?.captures, hint)
                    #expect(try matcher.withFirst(for: text.utf8Span) { $0.value } == match?.value, hint)
                    #expect(matcher.withFirst(for: uri) { $0.captures } == match?.captures, hint)
                }
            }
        }
        #expect(hits > 100)
    }

    @Test("gives all that match, each once, and the first of them first", arguments: 0..<10 as Range<UInt64>)
    func all(seed: UInt64) throws {
        var dice = Dice(seed: 1000 + seed)
        for _ in 0..<40 {
            let table = Self.table(&dice, priorities: false)
            let matcher = try Self.matcher(table)
            for _ in 0..<30 {
                let uri = try ResourceURI(dice.address())
                let all = matcher.all(for: uri)
                let each = table.map(\.pattern).filter { $0.captures(from: uri) != nil }.map(\.text)
                #expect(all.map(\.value).sorted() == each.sorted())
                #expect(all.first?.value == matcher.first(for: uri)?.value)
                for match in all { #expect(match.captures == match.pattern.captures(from: uri)) }
            }
        }
    }

    @Test("an example of a form matches its pattern", arguments: 0..<10 as Range<UInt64>)
    func examples(seed: UInt64) throws {
        var dice = Dice(seed: 2000 + seed)
        for _ in 0..<200 {
            guard let pattern = try? RoutePattern(dice.pattern()) else { continue }
            for form in pattern.forms {
                let uri = try ResourceURI(form.example)
                #expect(pattern.captures(from: uri) != nil, "\(pattern) and \(form.example)")
                #expect(!pattern.heads.filter(RoutePattern.heads(matching: uri).contains).isEmpty)
            }
        }
    }

    @Test("never traps, whatever the text", arguments: 0..<20 as Range<UInt64>)
    func noise(seed: UInt64) throws {
        var dice = Dice(seed: 3000 + seed)
        var builder = RouteTableBuilder<String>()
        var (patterns, addresses) = (0, 0)
        for _ in 0..<2_000 {
            let text = dice.noise()
            do {
                try builder.add(try RoutePattern(text), owner: "test", value: text)
                patterns += 1
            } catch {
                #expect([.patternMalformed, .routeConflict].contains(error.code))
            }
        }
        let matcher = builder.build()
        for _ in 0..<2_000 {
            let text = dice.noise()
            guard let uri = try? ResourceURI(text) else {
                #expect(throws: AtriumError.self) { try matcher.first(for: text) }
                continue
            }
            addresses += 1
            let match = matcher.first(for: uri)
            #expect(try matcher.first(for: text)?.value == match?.value)
            if let match { #expect(match.pattern.captures(from: uri) == match.captures) }
        }
        #expect(patterns > 20 && addresses > 100)
    }
}
