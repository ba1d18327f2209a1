import PluginCore
import PluginRouter
import Testing

@Suite("The order of routes", .tags(.small))
@MainActor
struct OrderTests {
    /// Returns a fixture with declared and registered routes in the given order.
    private func fixture(_ patterns: [String], coded: Set<String>) async throws -> RouterFixture {
        let declared = patterns.filter { !coded.contains($0) }
        let fixture = RouterFixture(
            installed: [
                FakeBundle(
                    identifier: "one",
                    routes: declared.map { RouteDeclaration(pattern: $0, kind: .handler, name: $0) },
                    serve: { .object($0.name) })
            ])
        for pattern in patterns where coded.contains(pattern) {
            try await fixture.router.register(pattern, kind: .handler) { _ in .object(pattern) }
        }
        return fixture
    }

    @Test(
        "The order of routes does not depend on registration, even if only the case of the authority differs",
        arguments: [["Shop/:a", "shop/:b"], ["shop/:b", "Shop/:a"]],
        [[], ["Shop/:a"], ["shop/:b"], ["Shop/:a", "shop/:b"]] as [Set<String>])
    func authorityCase(patterns: [String], coded: Set<String>) async throws {
        let fixture = try await fixture(patterns, coded: coded)
        let uri = try ResourceURI("app://sHop/1")
        #expect(try await fixture.router.matches(for: uri).map(\.route.pattern.text) == ["Shop/:a", "shop/:b"])
        #expect(try await fixture.router.explain(uri).winner?.route.pattern.text == "Shop/:a")
        #expect(try ListedRoutes(patterns).list.matches(for: uri).map(\.value) == ["Shop/:a", "shop/:b"])
    }

    @Test("The explanation names the case of the authority if it decides")
    func explainedCase() async throws {
        let fixture = try await fixture(["Shop/:a", "shop/:b"], coded: [])
        let explanation = try await fixture.router.explain(try ResourceURI("app://sHop/1"))
        #expect(
            explanation.candidates.map { "\($0.route.pattern) \($0.outcome)" } == [
                "Shop/:a wins", "shop/:b is less specific: segment 1 is \"shop\", the winner's \"Shop\"",
            ])
    }

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
