import PluginCore
import PluginRouter
import Testing

@Suite("The routing cases", .tags(.small))
struct RoutingCaseTests {
    @Test("All 524 routing cases are read")
    func count() {
        #expect(RoutingCase.all.count == 524)
    }

    @Test(
        "Each routing case has its expected outcome in both orders of registration", arguments: RoutingCase.all,
        [false, true])
    func outcome(routing: RoutingCase, isReversed: Bool) {
        let patterns = isReversed ? routing.patterns.reversed() : routing.patterns
        #expect(Self.outcome(of: patterns, routing.url) == routing.expect, "\(routing.id)")
    }

    /// The outcome for an address, given the routes of one list.
    private static func outcome(of patterns: [String], _ url: String) -> RoutingOutcome? {
        do {
            let list = try ListedRoutes(patterns).list
            let uri = try ResourceURI(url)
            guard let match = list.first(for: uri) else { return nil }
            #expect(try RoutePattern(match.value).captures(from: uri) == match.captures(from: uri))
            return RoutingOutcome(match.value, match.captures(from: uri), uri)
        } catch {
            switch error.code {
            case .patternMalformed: return RoutingOutcome(error: "badPattern")
            case .routeConflict: return RoutingOutcome(error: "conflict")
            case .uriMalformed: return RoutingOutcome(error: "malformedURL")
            default: return RoutingOutcome(error: "\(error)")
            }
        }
    }
}

extension RoutingOutcome {
    init(_ pattern: String, _ captures: RouteCaptures, _ uri: ResourceURI) {
        self.init(pattern: pattern)
        parameters = Self.bytes(of: captures.texts)
        rest = captures.rest?.segments.map { Array($0.utf8) }
        if let name = captures.rest?.name, name != "rest" { restName = Array(name.utf8) }
        let items = (captures.takesFragment ? uri.addingFragmentParameters() : uri).parameters.items
        if !items.isEmpty { query = items.map { [Array($0.name.utf8), Array($0.value.utf8)] } }
    }
}
