import PluginCore
@testable import PluginRouter
import Synchronization
import Testing

@Suite("Fallbacks outside of the app", .tags(.small))
@MainActor
struct OutsideFallbackTests {
    /// The links that were passed on, with their callers.
    private final class Passed: Sendable {
        private let links = Mutex<[OutboundLink]>([])
        var all: [OutboundLink] { links.withLock { $0 } }
        var texts: [String] { all.map { "\($0.uri) by \($0.origin), outside: \($0.isFromOutside)" } }

        func pass(_ link: OutboundLink) throws {
            if link.uri.text.contains("refused") { throw AtriumError(.routeDenied, "by the user") }
            links.withLock { $0.append(link) }
        }
    }

    private let fixture: RouterFixture
    private let passed = Passed()

    init() throws {
        let passed = passed
        let router = Slot<Router>()
        // An open redirect, as a careless plugin has one.
        let go: @Sendable (String) async throws -> Void = {
            try await router.value?.routing(for: .plugin("web")).open($0)
        }
        fixture = RouterFixture(installed: [
            FakeBundle(
                identifier: "web",
                routes: [.route("web/go", .handler, "go", exposure: .external)],
                targets: ["Web"],
                exposedActions: ["go"],
                serve: { request in
                    try await go(request.uri.parameters["to"] ?? "")
                    return .object("gone")
                },
                actions: [
                    Action("go") { parameters in
                        try await go(try parameters.require("to", as: String.self))
                        return "gone"
                    }
                ])
        ])
        router.value = fixture.router
        for scheme in ["https", "mailto", "tel"] {
            try fixture.router.fallback(.scheme(scheme), to: .outside { try passed.pass($0) })
        }
    }

    @Test(
        "A link of a scheme that nobody handles is passed on, with or without an authority",
        arguments: ["https://example.com/a?b", "mailto:ada@example.com", "TEL:+4930123"])
    func passedOn(address: String) async throws {
        guard case .handled = try await fixture.router.open(address) else { return #expect(Bool(false)) }
        #expect(passed.texts == ["\(address) by host, outside: false"])
    }

    @Test("A link that a plugin opens because of a link from outside still counts as one from outside")
    func redirect() async throws {
        let address = "app://web/go?to=https%3A%2F%2Fevil.example%2F"
        try await fixture.router.routing(for: .external).open(address)
        try await fixture.router.open(address)
        try await fixture.router.routing(for: .extension("web")).open(address)
        #expect(
            passed.texts == [
                "https://evil.example/ by plugin web, outside: true",
                "https://evil.example/ by plugin web, outside: false",
                "https://evil.example/ by plugin web, outside: true",
            ])
    }

    @Test("A link that an action opens because of a call from outside counts as one from outside, too")
    func action() async throws {
        let parameters: ActionParameters = ["to": "https://evil.example/"]
        for origin in [RequestOrigin.external, .host, .extension("other")] {
            _ = try await fixture.mediator.mediator(for: origin).perform("go", on: "Web", parameters)
        }
        #expect(passed.texts == [true, false, true].map { "https://evil.example/ by plugin web, outside: \($0)" })
    }

    @Test("If the link is refused, another fallback is tried, and otherwise the caller gets the refusal")
    func refused() async throws {
        let address = "https://example.com/refused"
        let error = await refusal { try await fixture.router.open(address) }
        #expect(error?.code == .routeDenied && error?.subject == "by the user")
        try fixture.router.fallback(.everything, to: .handler { _ in .object("lost") })
        #expect(try await fixture.router.open(address).value as? String == "lost")
    }

    @Test("A scheme of a link begins with a letter and ends with a colon")
    func schemes() throws {
        let schemes = ["mailto:a", "Tel:+1", "a+b-c.d:x", "app://x", "4a:b", ":x", "shop/a:b", "mail to:x", "shop"]
        #expect(
            try schemes.map { try ResourceURI($0).linkScheme } == [
                "mailto", "tel", "a+b-c.d", "app", nil, nil, nil, nil, nil,
            ])
    }

    @Test(
        "A link that a plugin in a process of its own has led to is known as such, also by way of others and of a redirect"
    )
    func confined() async throws {
        let lease = Lease.forTests("com.example.confined")
        lease.confine()
        fixture.shelf.update(to: FakeBundle(identifier: "com.example.confined", routes: [.route("confined", .handler)]))
        let router = fixture.router.leased(to: lease)
        try await router.intercept(
            nil, by: Interceptor("away") { _ in .redirect(try ResourceURI("https://a.example/1")) })
        // The user opens an address of the plugin, whose interceptor leads away.
        try await fixture.router.open("app://confined")
        try await fixture.router.open("https://a.example/2")
        try await Lease.servingConfined {
            _ = try await router.open("https://a.example/3")
            _ = try await fixture.mediator.perform("go", on: "Web", ["to": "https://a.example/4"])
        }
        #expect(passed.all.map(\.uri.text) == (1...4).map { "https://a.example/\($0)" })
        #expect(passed.all.map(\.isFromConfined) == [true, false, true, true])
    }
}
