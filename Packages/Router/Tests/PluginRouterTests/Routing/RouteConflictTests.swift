import Doctor
import PluginCore
import PluginRouter
import Testing

@Suite("Conflicting routes of two bundles", .tags(.small))
@MainActor
struct RouteConflictTests {
    private nonisolated static func bundle(_ owner: String, _ routes: RouteDeclaration...) -> FakeBundle {
        FakeBundle(identifier: owner, routes: routes, serve: { .object("\($0.name)") })
    }

    @Test(
        "Opening an address of two bundles is an error that names both, whichever was first",
        arguments: [
            ("help/:id", RouteDeclaration.route("help/:name", .handler)),
            ("help(/:id)", .route("help/:name", .handler, priority: 7)),
            ("help/:id", .route("help/:name", .handler, exposure: .internal)),
            ("help/:id", .route("help/:name(/:tab)", .handler)),
        ], [false, true])
    func declared(_ row: (mine: String, theirs: RouteDeclaration), isLater: Bool) async throws {
        let bundles = [
            Self.bundle("shop", .route(row.mine, .handler)),
            Self.bundle("orders", row.theirs, .route("orders", .handler), .route("help/**", .handler)),
        ]
        let router = RouterFixture(installed: isLater ? bundles.reversed() : bundles).router
        let uri = try ResourceURI("app://help/1")
        let error = await refusal { try await router.routing(for: .plugin("shop")).open(uri.text) }
        #expect(error?.code == .routeConflict)
        let text = "\(error?.subject ?? "") \(error?.reason?.description ?? "")"
        #expect(text.contains("shop") && text.contains("orders"))
        #expect(text.contains("bothMatch(example: help/id)") || text.contains("bothMatch(example: help/name)"))
        #expect(await !router.routing(for: .plugin("shop")).canOpen(uri))
        let explained = try await router.explain(uri, origin: .plugin("shop"))
        #expect(explained.winner == nil && explained.providingBundle == nil)
        #expect(
            explained.candidates.contains { if case .conflicts(withRouteOf: _) = $0.outcome { true } else { false } })
        // Addresses that only one of them has can be opened.
        #expect(await router.canOpen(try ResourceURI("app://orders")))
        #expect(await router.canOpen(try ResourceURI("app://help/1/2/3")))
    }

    @Test("Different patterns do not conflict, nor do equal patterns of the same bundle")
    func noConflictingRoutes() async throws {
        let router = RouterFixture(installed: [
            Self.bundle(
                "shop", .route("help/:id<int>", .handler), .route("app://help/:id", .handler), .route("cart", .handler)),
            Self.bundle("orders", .route("help/:id", .handler), .route("app://cart", .handler)),
            Self.bundle("twice", .route("same/:a", .handler), .route("same/:b", .handler)),
        ]).router
        for address in ["app://help/1", "app://help/x", "web://help/x", "app://cart", "web://cart", "app://same/1"] {
            #expect(await router.canOpen(try ResourceURI(address)), "\(address)")
        }
    }

    @Test("A declared route conflicts with one of the host if the manifest was not checked")
    func coded() async throws {
        let fixture = RouterFixture(installed: [])
        try await fixture.router.register("help/:id", kind: .handler) { _ in .object("code") }
        fixture.shelf.update(to: Self.bundle("orders", .route("help/:name", .handler)))
        #expect(await errorCode { try await fixture.router.open("app://help/1") } == .routeConflict)
    }

    @Test(
        "A manifest must not conflict with routes of the host's code or of the app, and may with those of a bundle's code"
    )
    func registrationStore() async throws {
        let fixture = RouterFixture(installed: [])
        try await fixture.router.register("help(/:id)", kind: .handler) { _ in .object("code") }
        try await fixture.routing(as: "com.example.shop").register("orders", kind: .handler) { _ in .object("code") }
        let rule = try Route(.route("welcome", .handler), owner: "com.example.shop")
        func error(_ owner: BundleIdentifier, _ patterns: String...) async throws -> AtriumError? {
            let manifest = Manifest(
                identity: BundleIdentity(identifier: owner, version: try #require(SemanticVersion("1.0.0"))),
                name: owner.text, kind: .app, entry: nil, routes: patterns.map { .route($0, .handler) })
            return await refusal { try fixture.registrationStore.requireFree(manifest, besides: [rule]) }
        }
        let taken = try await error("com.example.orders", "orders", "help/:name")
        #expect(taken?.code == .routeConflict && taken?.subject == "help/:name")
        #expect(
            taken?.reason?.description
                == "routesConflict(conflict: bothMatch(example: help/name), other: host, owner: com.example.orders, pattern: help(/:id))"
        )
        #expect(try await error("com.example.orders", "welcome")?.reason?.values["pattern"] == "welcome")
        #expect(try await error("com.example.shop", "welcome") == nil)
        #expect(try await error("com.example.orders", "help/:name<int>", "welcome/:x") == nil)
    }

    @Test("The error contains an address that both match, or says that no address matches")
    func example() async throws {
        for (pattern, clash) in [
            ("a/:b<int>/:{c}.x", "bothMatch"), ("a//b", "emptySegmentInBoth"), ("a#b//c", "emptySegmentInBoth"),
            ("//a", "emptySegmentInBoth"),
        ] {
            let routing = RouterFixture(installed: []).routing(as: "one")
            try await routing.register(pattern, kind: .handler) { _ in .object(1) }
            let error =
                await failure {
                    try await routing.register(pattern, kind: .handler) { _ in .object(2) }
                } as? AtriumError
            #expect(error?.code == .routeConflict)
            guard case .reason(let conflict) = error?.reason?.values["conflict"] else {
                Issue.record("no conflict in \(String(describing: error))")
                continue
            }
            #expect(conflict.name == clash)
            guard case .text(let address) = conflict.values["example"] else { continue }
            #expect(try RoutePattern(pattern).captures(from: ResourceURI(address)) != nil)
        }
    }
}
