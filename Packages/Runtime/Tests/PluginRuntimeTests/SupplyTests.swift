import PluginCore
import PluginRouter
import PluginRuntime
import Testing

@Suite("A bundle that the catalog could bring")
struct SupplyTests {
    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let package: SamplePackage
        let code: AtriumError.Code
        var testDescription: String { name }
    }

    static let other = "com.example.app.other"
    static let cases = [
        Case(
            name: "a requirement that nobody meets",
            package: SamplePackage(requires: ["com.example.app.account": "^1.0.0"], routes: ["shop"]),
            code: .requirementUnmet),
        Case(
            name: "a requirement above what can be had",
            package: SamplePackage(requires: [other: "^2.0.0"], routes: ["shop"]), code: .requirementUnmet),
        Case(
            name: "a route of another bundle's",
            package: SamplePackage(routes: ["shop", "item/:number(/:tab)"]), code: .routeConflict),
        Case(
            name: "a target of another bundle's", package: SamplePackage(routes: ["shop"], targets: ["Other"]),
            code: .targetConflict),
        Case(
            name: "a service of another bundle's", package: SamplePackage(routes: ["shop"], services: ["Stock"]),
            code: .serviceConflict),
        Case(
            name: "an older Core", package: SamplePackage(coreABI: CoreVersion.abi - 1, routes: ["shop"]),
            code: .libraryIncompatible),
        Case(
            name: "a newer Core", package: SamplePackage(coreABI: CoreVersion.abi + 1, routes: ["shop"]),
            code: .libraryIncompatible),
    ]

    @Test("is not named for an address when its manifest says that it can not be installed", arguments: cases)
    func refused(_ refused: Case) async throws {
        try await withHost { host in
            try host.offer(
                SamplePackage(identifier: Self.other, routes: ["item/:id"], targets: ["Other"], services: ["Stock"]),
                refused.package)
            try await host.manager.install(Self.other)
            let (router, _) = await host.manager.connect(SilentNavigator(), supply: host.manager)
            try router.fallback(.everything, to: .handler { _ in .object("fallback") })
            let query = RouteQuery(try ResourceURI("app://shop"), as: [.page], for: .host)
            #expect(try await host.manager.supplier(ofRoute: query) == nil)
            #expect(await !router.canOpen(query.uri))
            // Whoever opens it hears what installing it would say.
            let opening = try await host.refusal(refused.code) { try await router.open(query.uri.text) }
            let installing = try await host.refusal(refused.code) { try await host.manager.install(TestHost.shop) }
            #expect((opening.subject, opening.detail) == (installing.subject, installing.detail))
        }
    }

    @Test("is named for an address when another one that would serve it can not be installed")
    func next() async throws {
        try await withHost { host in
            let able = "com.example.app.zoo"
            try host.offer(
                SamplePackage(coreABI: CoreVersion.abi + 1, routes: ["shop"]),
                SamplePackage(identifier: able, routes: ["shop"]))
            let query = RouteQuery(try ResourceURI("app://shop"), as: [.page], for: .host)
            #expect(try await host.manager.supplier(ofRoute: query) == able)
        }
    }
}
