import Doctor
import PluginCore
import PluginRouter
import Testing

@Suite("Agreement of canOpen, open, page and object", .tags(.small), .serialized)
@MainActor
struct AgreementTests {
    /// A route as both the fixture and the reference know it.
    private struct Entry: Sendable {
        let name: String
        let declaration: RouteDeclaration
        let isCode: Bool
        let owner: String
        /// A Boolean value that indicates whether the route accepts the addresses that it matches.
        let takes: Bool
    }

    private struct Table {
        let entries: [Entry]
        let list: RouteList

        init(_ dice: inout Dice) {
            var entries: [Entry] = []
            var routes = ListedRoutes()
            for number in 0..<dice.count(1...40) {
                let text = dice.pattern()
                let priority = dice.isLucky(0.2) ? dice.count(-1...1) : 0
                guard let pattern = try? RoutePattern(text),
                    (try? routes.add(pattern, owner: "x", priority: priority, value: "\(entries.count)")) != nil
                else { continue }
                let declaration = RouteDeclaration(
                    pattern: text, kind: [.page, .handler, .object][dice.count(0...2)], name: "\(number)",
                    priority: priority, exposure: Exposure.allCases[dice.count(0...2)],
                    mayDecline: dice.isLucky(0.4))
                let isCode = dice.isLucky(0.4)
                let owner = dice.one(of: ["one", "two"])
                entries.append(
                    Entry(
                        name: "\(number)", declaration: declaration, isCode: isCode,
                        owner: isCode ? "host" : owner, takes: !declaration.mayDecline || dice.isLucky(0.5)))
            }
            self.entries = entries
            list = routes.list
        }

        /// Returns the entry of a name.
        func entry(_ name: String?) -> Entry? { entries.first { $0.name == name } }

        /// Returns the expected route by the documented rules: in the matcher's order, the first one without an obstacle.
        func served(_ uri: ResourceURI, _ kinds: Set<RouteKind>, _ origin: RequestOrigin) -> String? {
            list.matches(for: uri).compactMap { Int($0.value).map { entries[$0] } }.first {
                kinds.contains($0.declaration.kind) && $0.declaration.exposure.admits(origin, owner: $0.owner)
                    && $0.takes
            }?.name
        }

        @MainActor
        func fixture() async throws -> RouterFixture {
            let bundles = ["one", "two"].map { owner in
                let declined = Set(entries.filter { !$0.takes }.map(\.name))
                return FakeBundle(
                    identifier: owner,
                    routes: entries.filter { !$0.isCode && $0.owner == owner }.map(\.declaration),
                    serve: { [pages] in await Self.resource($0.name, pages) },
                    accepts: { !declined.contains($0.name) })
            }
            let fixture = RouterFixture(installed: bundles)
            for entry in entries where entry.isCode {
                let (declaration, takes) = (entry.declaration, entry.takes)
                let accepts: @Sendable (ResourceRequest) async -> Bool = { _ in takes }
                try await fixture.router.register(
                    declaration.pattern, kind: declaration.kind,
                    options: RouteOptions(
                        priority: declaration.priority, exposure: declaration.exposure,
                        accepts: declaration.mayDecline ? accepts : nil)
                ) { [pages] _ in await Self.resource(entry.name, pages) }
            }
            return fixture
        }

        /// The names of the page routes.
        private var pages: Set<String> { Set(entries.filter { $0.declaration.kind == .page }.map(\.name)) }

        @MainActor
        private static func resource(_ name: String, _ pages: Set<String>) -> Resource {
            pages.contains(name) ? .page(TitledPage(title: name)) : .object(name)
        }
    }

    @Test("canOpen, open, page and object always agree, and the documented rules decide which route handles a request")
    func agreement() async throws {
        var (dice, served, refused, pages, several, folded) = (Dice(seed: 11), 0, 0, 0, 0, 0)
        for _ in 0..<100 {
            let table = Table(&dice)
            let fixture = try await table.fixture()
            for _ in 0..<12 {
                guard let uri = try? ResourceURI(dice.address()) else { continue }
                // The router, its explanation and a list of its routes have the same order, for declared and registered ones.
                let all = table.list.matches(for: uri)
                let texts = all.map(\.route.pattern.text)
                let matches = try await fixture.router.matches(for: uri)
                #expect(matches.map(\.route.pattern.text) == texts, "\(uri) in \(table.entries.map(\.declaration))")
                #expect(matches.map { $0.captures(from: uri) } == all.map { $0.captures(from: uri) })
                let explained = try await fixture.router.explain(uri).candidates.filter { $0.captures != nil }
                #expect(explained.map(\.route.pattern.text) == texts, "\(uri) in \(table.entries.map(\.declaration))")
                if all.count > 1 { several += 1 }
                let firstSegments = Set(all.compactMap { $0.route.pattern.firstSegments.first }.filter { !$0.isEmpty })
                let firsts = Set(texts.compactMap { $0.split(separator: "/").first })
                if uri.hasAuthority, firstSegments.count < firsts.count { folded += 1 }
                for origin in [RequestOrigin.host, .plugin("one"), .extension("two"), .external] {
                    let routing = fixture.router.routing(for: origin)
                    let expected = table.served(uri, [.page, .handler], origin)
                    let outcome = try? await routing.open(uri, userInfo: [:], presentation: .push)
                    var name: String?
                    if case .handled(let value) = outcome { name = value as? String }
                    if case .shown = outcome { name = fixture.stack.pages.last?.title }
                    #expect(name == expected, "\(uri), \(origin), \(table.entries.map(\.declaration))")
                    let object = try? await routing.object(for: uri, userInfo: [:]) as? String
                    #expect(object == table.served(uri, [.object], origin))
                    #expect(await routing.canOpen(uri) == (outcome != nil || object != nil))
                    let shown = fixture.stack.pages.count
                    let page = try? await routing.page(for: uri, userInfo: [:])
                    let isPage = table.entry(expected)?.declaration.kind == .page
                    #expect(page?.title == (isPage ? expected : nil))
                    #expect(fixture.stack.pages.count == shown)
                    if isPage { pages += 1 }
                    if expected == nil { refused += 1 } else { served += 1 }
                }
            }
        }
        // Without enough requests of both sorts, the test would prove nothing.
        #expect(served > 200 && refused > 200 && pages > 100 && several > 200 && folded > 20)
    }
}
