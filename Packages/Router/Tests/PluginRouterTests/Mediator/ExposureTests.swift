import PluginCore
import PluginRouter
import Testing

@Suite("The exposure of actions", .tags(.small))
struct ExposureTests {
    private static let shop = FakeBundle(
        identifier: "shop",
        declared: [
            TargetDeclaration(
                name: "Shop",
                actions: [
                    ActionDeclaration(name: "reset", exposure: .internal), "count",
                    ActionDeclaration(name: "price", exposure: .external),
                ]
            )
        ],
        target: { name in
            ActionTarget(
                name,
                actions: ["reset", "count", "price", "hidden"].map { action in Action(action) { _ in action } },
                notFound: { action, _ in "answered \(action)" }
            )
        }
    )

    static let origins: [RequestOrigin] = [
        .host, .plugin("shop"), .extension("shop"), .plugin("other"), .extension("other"), .external,
    ]

    @Test(
        "Internal actions are open to host and owner, those for plugins to everyone inside, external ones to all",
        arguments: [
            ("reset", [true, true, true, false, false, false]), ("count", [true, true, true, true, true, false]),
            ("price", [true, true, true, true, true, true]),
            // An undeclared action is at most exposed to plugins, and so is one that doesn't exist.
            ("hidden", [true, true, true, true, true, false]), ("nothing", [true, true, true, true, true, false]),
        ]
    )
    func table(action: String, admitted: [Bool]) async throws {
        for isLoaded in [false, true] {
            for (origin, isAdmitted) in zip(Self.origins, admitted) {
                let host = RouterFixture(Self.shop)
                if isLoaded { try await host.mediator.perform("price", on: "Shop") }
                let mediator = host.mediator.mediator(for: origin)
                let calls: [@Sendable () async throws -> any Sendable] = [
                    { try await mediator.perform(action, on: "Shop") },
                    { try await mediator.perform(ResourceURI("app://Shop/\(action)"), [:]) },
                ]
                for call in calls {
                    if isAdmitted {
                        #expect(try await call() as? String == (action == "nothing" ? "answered nothing" : action))
                    } else {
                        let error = await refusal { try await call() }
                        #expect(error?.code == .exposureDenied, "\(origin)")
                        #expect(error?.subject == "Shop.\(action)")
                    }
                }
                // A rejected call has not loaded anything.
                if !isLoaded, !isAdmitted { #expect(host.shelf.loads == []) }
            }
        }
    }

    @Test("The caller is the bundle whose mediator is used, and the host for the host's mediator")
    func stamped() async throws {
        let host = RouterFixture(Self.shop)
        let own = host.mediator.leased(to: Lease(owner: "shop"))
        let other = host.mediator.leased(to: Lease(owner: "other"))
        #expect(try await host.mediator.perform("reset", on: "Shop", returning: String.self) == "reset")
        #expect(try await own.perform("reset", on: "Shop", returning: String.self) == "reset")
        let error = await refusal { try await other.perform("reset", on: "Shop") }
        #expect(
            error?.description
                == "exposureDenied: Shop.reset (actionExposure(caller: plugin other, exposure: internal))")
    }

    @Test(
        "No crafted parameter changes the caller, unlike with CTMediator's native prefix",
        arguments: [
            "app://Shop/reset?native=1", "app://Shop/reset?origin=host&exposure=external&owner=shop",
            "app://Shop/%72eset", "app://Shop/nativereset", "native://Shop/reset", "app://shop/reset",
            "app://Shop/reset?action=price", "app://Shop/reset#price", "host://Shop/count", "app://Shop/Price",
        ]
    )
    func crafted(address: String) async throws {
        let host = RouterFixture(Self.shop)
        let mediator = host.mediator.mediator(for: .external)
        let forged: ActionParameters = ["origin": RequestOrigin.host, "exposure": Exposure.external, "native": true]
        #expect(await errorCode { try await mediator.perform(ResourceURI(address), forged) } == .exposureDenied)
        #expect(host.shelf.loads == [])
    }

    @Test("An external call that would be rejected does not install a bundle")
    func notInstalled() async throws {
        let host = RouterFixture(offered: [Self.shop])
        let mediator = host.mediator.mediator(for: .external)
        #expect(await errorCode { try await mediator.perform(ResourceURI("app://Shop/count"), [:]) } == .exposureDenied)
        #expect(host.shelf.installed == [])
        #expect(try await mediator.perform(ResourceURI("app://Shop/price"), [:]) as? String == "price")
        #expect(host.shelf.installed == ["shop"])
    }
}
