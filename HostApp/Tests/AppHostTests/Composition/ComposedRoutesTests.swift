import Registry
import PluginCore
import PluginRouter
import PluginRuntime
import Testing

@testable import AppHost

@MainActor
@Suite("Routes of a composed app", .tags(.medium), .timeLimit(.minutes(15)))
struct ComposedRoutesTests {
    private let fixture: AssetsFixture
    private let notes: BundleIdentifier = "com.example.notes"
    private let one = AssetsFixture.page(at: "notes/one")

    init() throws { fixture = try AssetsFixture() }

    private func rules(_ rules: String) throws -> ComposedRoutes {
        try fixture.composed("{\"uri\": \"notes\", \"pkg\": \"\(notes)\", \"rules\": {\(rules)}}")
    }

    /// Returns the error of opening an address.
    private func refusal(at uri: String, in composed: ComposedRoutes) async throws -> AtriumError {
        try await #require(throws: AtriumError.self) { try await fixture.title(at: uri, in: composed) }
    }

    @Test(
        "A rule opens its page with the parameters of the rule and of the address",
        arguments: [
            ("app://notes/welcome", "com.example.notes two rule"),
            ("app://notes/welcome?from=address", "com.example.notes two address"),
            ("app://NOTES", "com.example.notes one "),
            ("app://notes/one", "com.example.notes one "),
        ])
    func rule(uri: String, title: String) async throws {
        try await fixture.installed(notes, routes: one)
        let composed = try rules("\"welcome\": \"help/two?from=rule\", \"\": \"help/one\"")
        #expect(try await fixture.title(at: uri, in: composed) == title)
    }

    @Test("A bundle's uri opens its entry page unless a rule or a manifest covers it")
    func entry() async throws {
        try fixture.offer(notes, routes: one)
        let composed = try fixture.composed(
            "{\"uri\": \"diary\", \"pkg\": \"\(notes)\", \"rules\": {\"home\": \"?from=rule\"}}")
        #expect(try await fixture.title(at: "app://diary", in: composed) == "com.example.notes one ")
        #expect(try fixture.manager.registry.active.identifiers() == [notes])
        #expect(try await fixture.title(at: "app://diary?from=x", in: composed) == "com.example.notes one x")
        #expect(try await fixture.title(at: "app://diary/home", in: composed) == "com.example.notes one rule")
        let error = try await refusal(at: "app://diray", in: composed)
        #expect(error.nearest.first == "app://diary")
    }

    @Test("A manifest's route for the uri of a bundle takes precedence over the entry page")
    func entryIsLast() async throws {
        let two = "{\"pattern\": \"notes\", \"page\": \"two\", \"layout\": \"help/two\"}"
        try fixture.offer(notes, routes: one + ", " + two)
        let composed = try fixture.composed("{\"uri\": \"notes\", \"pkg\": \"\(notes)\"}")
        #expect(try await fixture.title(at: "app://notes", in: composed) == "com.example.notes two ")
        #expect(try await fixture.title(at: "app://notes", in: .none) == "com.example.notes two ")
    }

    @Test("The uri of a bundle without pages is an unknown route")
    func noEntry() async throws {
        try await fixture.installed(notes, routes: "")
        let composed = try fixture.composed("{\"uri\": \"notes\", \"pkg\": \"\(notes)\"}")
        let error = try await refusal(at: "app://notes", in: composed)
        #expect(error.code == .routeUnknown)
    }

    @Test("A rule takes precedence over the route of its own bundle's manifest for the same address")
    func ruleBeatsManifest() async throws {
        try await fixture.installed(notes, routes: one)
        #expect(try await fixture.title(at: "app://notes/one", in: .none) == "com.example.notes one ")
        let composed = try rules("\"one\": \"help/two\"")
        #expect(try await fixture.title(at: "app://notes/one", in: composed) == "com.example.notes two ")
    }

    @Test("Opening the address of a rule installs its bundle from the catalog")
    func ruleInstalls() async throws {
        try fixture.offer(notes, routes: "")
        let composed = try rules("\"welcome\": \"help/two\"")
        #expect(try await fixture.title(at: "app://notes/welcome?from=x", in: composed) == "com.example.notes two x")
        #expect(try fixture.manager.registry.active.identifiers() == [notes])
    }

    @Test("For an address of a composed bundle, that bundle is preferred over others whose manifests match it")
    func memberBeatsOthers() async throws {
        try fixture.offer("com.example.aaa", routes: one)
        try fixture.offer(notes, routes: one)
        let composed = try fixture.composed("{\"uri\": \"Notes\", \"pkg\": \"\(notes)\"}")
        #expect(try await fixture.title(at: "app://notes/one", in: composed) == "com.example.notes one ")
        #expect(try fixture.manager.registry.active.identifiers() == [notes])
    }

    @Test("Another bundle may serve an address if the bundle that the composition names does not")
    func othersServe() async throws {
        try fixture.offer("com.example.aaa", routes: one)
        try fixture.offer(notes, routes: "")
        let composed = try fixture.composed("{\"uri\": \"notes\", \"pkg\": \"\(notes)\"}")
        #expect(try await fixture.title(at: "app://notes/one", in: composed) == "com.example.aaa one ")
    }

    @Test("The address of a rule without its bundle is unknown, with suggestions from manifests alone")
    func unknown() async throws {
        try fixture.offer("com.example.aaa", routes: one)
        let composed = try rules("\"welcome\": \"help/two\"")
        let missing = try await refusal(at: "app://notes/welcome", in: composed)
        #expect(missing.code == .routeUnknown && missing.reason?.name == "memberAbsent")
        let typo = try await refusal(at: "app://notes/welcom", in: composed)
        #expect(typo.nearest == [])
        let other = try await refusal(at: "app://notes/oen", in: composed)
        #expect(other.nearest == ["app://notes/one"])
    }

    @Test("If a rule and another installed bundle declare the same address, neither serves it and both are named")
    func ruleOverAnother() async throws {
        let orders: BundleIdentifier = "com.example.orders"
        // An earlier host without the rule has installed the bundle.
        try await fixture.installed(
            orders,
            routes: """
                {"pattern": "notes/:page", "page": "one", "layout": "help/one"},
                {"pattern": "notes/help", "page": "two", "layout": "help/two"}
                """)
        try await fixture.installed(notes, routes: one)
        let composed = try rules("\"help\": \"help/one\", \"other\": \"help/two\"")
        let error = try await refusal(at: "app://notes/help", in: composed)
        #expect(error.code == .routeConflict && error.subject == "notes/help")
        #expect(
            error.reason?.description
                == "routesConflict(conflict: bothMatch(example: notes/help), other: \(orders), owner: \(notes), pattern: notes/help)"
        )
        let router = try fixture.manager(of: composed).router
        #expect(await !router.canOpen(try ResourceURI("app://notes/help")))
        #expect(try await fixture.title(at: "app://notes/other", in: composed) == "com.example.notes two ")
        #expect(try await fixture.title(at: "app://notes/none", in: composed) == "com.example.orders one ")
    }

    @Test("A bundle that declares an address of another bundle's rule cannot be installed")
    func ruleRefuses() async throws {
        let orders: BundleIdentifier = "com.example.orders"
        try fixture.offer(notes, routes: one)
        try fixture.offer(orders, routes: "{\"pattern\": \"notes/help\", \"page\": \"two\", \"layout\": \"help/two\"}")
        let manager = try fixture.manager(of: rules("\"help\": \"help/one\""))
        let error = await #expect(throws: AtriumError.self) { try await manager.install(orders) }
        #expect(error?.code == .routeConflict)
        #expect(
            error?.reason?.description
                == "routesConflict(conflict: bothMatch(example: notes/help), other: \(notes), owner: \(orders), pattern: notes/help)"
        )
        #expect(try fixture.manager.registry.active.identifiers() == [])
    }
}
