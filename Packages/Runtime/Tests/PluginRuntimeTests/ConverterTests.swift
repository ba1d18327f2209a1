import PluginRuntime
import BundleFormat
import PluginCore
import PluginRouter
import Testing
@testable import Registry

@Suite("Custom route converters of a host", .tags(.medium))
struct ConverterTests {
    private static let package = SamplePackage(
        kind: "assets",
        routes: [
            #"{"pattern": "shop/:item<slug>", "page": "item", "layout": "main/item"}"#,
            #"{"pattern": "shop/:other", "page": "other", "layout": "main/other"}"#,
        ],
        library: nil,
        files: [
            "Resources/Pages/main.json": """
            {"pages": {"item": {"title": "item {item}", "content": []}, "other": {"title": "other {other}", "content": []}}}
            """
        ])

    private static var converters: RouteConverters {
        var converters = RouteConverters.standard
        converters.register(
            RouteConverter("slug", example: "red-socks") { $0.allSatisfy { $0.isLowercase || $0 == "-" } })
        return converters
    }

    /// A host that registers the converter.
    private let host: TestHost

    init() throws { host = try TestHost(converters: Self.converters) }

    /// Returns the title of the page that an address opens on a host.
    private func title(at address: String, on host: TestHost) async throws -> String? {
        try await host.router.open(address)
        return await host.navigator.pages.last?.title
    }

    @Test("A plugin can use a converter that the host registers, and the converter decides which addresses match")
    func registered() async throws {
        try host.offer(Self.package)
        try await host.manager.install(.shop)
        #expect(try await title(at: "app://shop/red-socks", on: host) == "item red-socks")
        #expect(try await title(at: "app://shop/42", on: host) == "other 42")
        let installed = try #require(try host.registry.active.bundle(.shop))
        #expect(try host.registry.versions.manifest(of: installed.active).routes.count == 2)
    }

    @Test("A custom converter decides which addresses install a plugin on demand")
    func installedOnDemand() async throws {
        var package = Self.package
        package.routes.removeLast()
        try host.offer(package)
        try await host.refusal(.routeUnknown, of: "app://shop/42") { try await title(at: "app://shop/42", on: host) }
        #expect(try await title(at: "app://shop/red-socks", on: host) == "item red-socks")
    }

    @Test("A plugin that uses an unregistered converter is rejected with the known converters")
    func unregistered() async throws {
        let host = try host.another()
        try host.offer(Self.package)
        let error = try await host.refusal(.manifestInvalid) { try await host.manager.install(.shop) }
        #expect(
            error.problems.map(\.description) == [
                "at(place: routes[0].pattern, problem: patternFlaw(pattern: shop/:item<slug>, problem: "
                    + "converterUnknown(known: [bool, double, int, string, uuid], name: slug)))"
            ])
        let listing = try host.manager.offers.catalog.listing()
        #expect(listing.packages.isEmpty && listing.problems.map(\.code) == [.manifestInvalid])
    }

    @Test("A host without a converter that an installed plugin uses fails with the pattern and its plugin")
    func otherHost() async throws {
        try host.offer(Self.package)
        try await host.manager.install(.shop)
        let other = try host.another()
        let error = try await other.refusal(.patternMalformed) { try await title(at: "app://shop/42", on: other) }
        #expect(error.subject == "shop/:item<slug>")
        #expect(error.reason?.values["owner"] == "com.example.app.shop")
    }
}
