import PluginCore
import PluginRouter
import Testing

@Suite("The order of routes", .tags(.small))
@MainActor
struct OrderTests {
    @Test("A router and a list of its routes have the same order, for any routes, declared or registered")
    func law() async throws {
        var (dice, several, folded) = (Dice(seed: 21), 0, 0)
        for round in 0..<60 {
            var routes = ListedRoutes()
            var patterns: [(text: String, priority: Int)] = []
            for _ in 0..<dice.count(1...80) {
                let (text, priority) = (dice.pattern(), dice.isLucky(0.2) ? dice.count(-1...1) : 0)
                guard let pattern = try? RoutePattern(text),
                    (try? routes.add(pattern, priority: priority)) != nil
                else { continue }
                patterns.append((text, priority))
            }
            let list = routes.list
            patterns.shuffle(using: &dice)
            let coded = round.isMultiple(of: 3) ? patterns.count : dice.count(0...patterns.count)
            let fixture = RouterFixture(
                installed: [
                    FakeBundle(
                        identifier: "one",
                        routes: patterns[coded...].map {
                            RouteDeclaration(pattern: $0.text, kind: .handler, name: "", priority: $0.priority)
                        })
                ])
            for (text, priority) in patterns[..<coded] {
                try await fixture.router.register(
                    text, kind: .handler, options: RouteOptions(priority: priority)
                ) { _ in .object(()) }
            }
            for _ in 0..<20 {
                guard let uri = try? ResourceURI(dice.address()) else { continue }
                let all = list.matches(for: uri)
                let matches = try await fixture.router.matches(for: uri)
                #expect(matches.map(\.route.pattern.text) == all.map(\.value), "\(uri) in \(patterns)")
                #expect(matches.map { $0.captures(from: uri) } == all.map { $0.captures(from: uri) })
                // The explanation tries each route with the same first segment.
                let explained = try await fixture.router.explain(uri).candidates.filter { $0.captures != nil }
                #expect(explained.map(\.route.pattern.text) == all.map(\.value), "\(uri) in \(patterns)")
                if all.count > 1 { several += 1 }
                let firstSegments = Set(all.compactMap { $0.route.pattern.firstSegments.first }.filter { !$0.isEmpty })
                let firsts = Set(all.compactMap { $0.value.split(separator: "/").first })
                if uri.hasAuthority, firstSegments.count < firsts.count { folded += 1 }
            }
        }
        // Without enough matches of both sorts, the test would prove nothing.
        #expect(several > 300 && folded > 20)
    }
}
