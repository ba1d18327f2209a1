import PluginCore
import PluginRouter
import Testing

@Suite("Calls by address", .tags(.small))
struct RemoteCallTests {
    private static func bundle(_ identifier: String, target: String, exposed: [String] = []) -> FakeBundle {
        FakeBundle(
            identifier: identifier, targets: [target], exposedActions: exposed,
            actions: [
                Action("tell") { "\(target) \($0.names.map { "\($0)" }) \($0.value("x", as: String.self) ?? "-")" },
                Action("Tell") { _ in "TELL" },
            ])
    }

    /// A bundle that external callers may call.
    private static var external: FakeBundle { bundle("shop", target: "Shop", exposed: ["tell"]) }

    @Test("The authority is the target, the path is the action, and the query contains the parameters")
    func spelling() async throws {
        let mediator = RouterFixture(Self.bundle("shop", target: "Shop")).mediator
        let told = try await mediator.perform(ResourceURI("app://Shop/tell?x=%C3%A9&y=2&x=3#z"), [:])
        #expect(told as? String == "Shop [\"x\", \"y\"] é")
        #expect(try await mediator.perform(ResourceURI("app://Shop/Tell/"), [:]) as? String == "TELL")
    }

    @Test("User info does not replace parameters of the address")
    func parameters() async throws {
        let mediator = RouterFixture(Self.bundle("shop", target: "Shop")).mediator
        let told = try await mediator.perform(ResourceURI("app://Shop/tell?x=1"), ["x": "2", "closure": "3"])
        #expect(told as? String == "Shop [\"closure\", \"x\"] 1")
    }

    @Test(
        "An address of another form is rejected",
        arguments: [
            "Shop/tell", "app://Shop", "app://Shop/", "app://Shop/a/tell", "app://", "/Shop/tell", "app:///tell/x",
        ]
    )
    func malformed(address: String) async throws {
        let mediator = RouterFixture(Self.bundle("shop", target: "Shop")).mediator
        #expect(await errorCode { try await mediator.perform(ResourceURI(address), [:]) } == .uriMalformed)
    }

    @Test(
        "A call that is too large, by its address and its parameters together, is rejected for external callers only",
        arguments: [
            ("x=1&x=" + String(repeating: "a", count: 2049), [:], "parameterTooLong(limit: 2048, size: 2049)"),
            ("x=1&" + String(repeating: "x&", count: 65), [:], "tooManyParameters(limit: 64, size: 66)"),
            ("x=1&" + String(repeating: "abcdefgh&", count: 1000), [:], "addressTooLong(limit: 8192, size: 9020)"),
            ("", ["x": String(repeating: "é", count: 1025)], "parameterTooLong(limit: 2048, size: 2050)"),
            ("", [String(repeating: "x", count: 2049): 1], "parameterTooLong(limit: 2048, size: 2049)"),
            ("", numbered(65), "tooManyParameters(limit: 64, size: 65)"),
            ("", ["x": [UInt8](repeating: 0, count: 2049)], "parameterTooLong(limit: 2048, size: 2049)"),
            ("", ["x": Array(repeating: "0123456789", count: 205)], "parameterTooLong(limit: 2048, size: 2058)"),
            (
                "", ["x": ["a": String?.some(String(repeating: "a", count: 2048))]],
                "parameterTooLong(limit: 2048, size: 2065)"
            ),
            ((0..<40).map { "a\($0)=" }.joined(separator: "&"), numbered(24), nil),
            ((0..<40).map { "a\($0)=" }.joined(separator: "&"), numbered(25), "tooManyParameters(limit: 64, size: 65)"),
        ] as [(String, [String: any Sendable], String?)]
    )
    func size(query: String, values: [String: any Sendable], detail: String?) async throws {
        let mediator = RouterFixture(Self.external).mediator
        let (uri, parameters) = (try ResourceURI("app://Shop/tell?" + query), ActionParameters(values))
        var calls: [@Sendable (any Mediating) async throws -> any Sendable] = [
            { try await $0.perform(uri, parameters) }
        ]
        if query.isEmpty { calls.append { try await $0.perform("tell", on: "Shop", parameters) } }
        for call in calls {
            for origin in [RequestOrigin.plugin("other"), .extension("other")] {
                _ = try await call(mediator.mediator(for: origin))
            }
            let error = await refusal { try await call(mediator.mediator(for: .external)) }
            #expect(error?.code == detail.map { _ in .requestTooLarge } && error?.reason?.description == detail)
            if query.isEmpty { #expect(error?.subject == "Shop.tell") }
        }
    }

    private static func numbered(_ count: Int) -> [String: any Sendable] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { ("b\($0)", $0) })
    }

    @Test("A long name is rejected for external callers, and the error quotes only its beginning")
    func longName() async throws {
        let outside = RouterFixture(Self.external).mediator.mediator(for: .external)
        let long = String(repeating: "n", count: 2049)
        for (action, target) in [(long, "Shop"), ("tell", long)] {
            let error = await refusal { try await outside.perform(action, on: target, [:]) }
            #expect(error?.code == .requestTooLarge && error?.subject.count == 83)
        }
    }

    @Test("A hanging action fails at the deadline")
    func deadline() async throws {
        let (clock, gate) = (ManualClock(), AsyncGate())
        let shop = FakeBundle(
            identifier: "shop", targets: ["Shop"], actions: [Action("hang") { _ in await gate.pass() }])
        let mediator = RouterFixture(shop, clock: clock).mediator
        let hanging = Task {
            await refusal { try await mediator.perform(ResourceURI("app://Shop/hang"), [:]) }
        }
        await gate.arrival()
        let error = await clock.advance(by: .seconds(30), untilEndOf: hanging)
        #expect(
            error?.description
                == "deadlineExceeded: app://Shop/hang (deadline(limit: seconds(seconds: 30), owner: Shop))")
        gate.openUp()
    }

    @Test("An exact target name takes precedence, then the only one that differs just in case")
    func authorityCase() async throws {
        let host = RouterFixture(
            Self.bundle("a", target: "Shop"), Self.bundle("b", target: "SHOP"), Self.bundle("c", target: "Orders"))
        func told(_ address: String) async throws -> String? {
            (try await host.mediator.perform(ResourceURI(address), [:]) as? String)?.split(separator: " ").first
                .map(String.init)
        }
        #expect(try await told("app://SHOP/tell") == "SHOP")
        #expect(try await told("app://Shop/tell") == "Shop")
        #expect(try await told("app://orders/tell") == "Orders")
        #expect(await errorCode { try await told("app://shop/tell") } == .targetUnknown)
        // A call in code is case-sensitive.
        await #expect(throws: AtriumError.self) { try await host.mediator.perform("tell", on: "orders") }
    }
}
