import PluginCore
import PluginTestKit
import ShopInterface
import Testing

@testable import Shop

@Suite("The contract of the shop plugin", .tags(.medium))
@MainActor
struct ContractTests {
    @Test("The release that is built provides exactly what its manifest declares")
    func manifest() async throws {
        let bench = try await Bench(release: .built)
        let problems = await ManifestContract(bench.host.manifest).problems(
            of: bench.bundle, in: bench.host.context,
            samples: ["shop/item/:id": "app://shop/item/42", "shop/price/:id": "app://shop/price/42"]
        )
        #expect(problems == [])
    }

    @Test("The typed contracts match the routes of each release's manifest", arguments: TestedRelease.allCases)
    func contracts(release: TestedRelease) throws {
        let contract = ManifestContract(try PluginFolder().manifest(release.manifest, of: ShopBundle.self))
        let links = [ItemLink(id: 42), ItemLink(id: -1, from: "a&b=c"), ItemLink(id: 7, from: "")]
        #expect(contract.problems(of: ShopRoutes.item, samples: links) == [])
        #expect(contract.problems(of: ShopRoutes.price, samples: [7, Int.min]) == [])
        #expect(contract.problems(of: ShopRoutes.home, samples: [NoValue()]) == [])
        #expect(contract.problems(of: ShopRoutes.gift, samples: [NoValue()]) == [])
        let deals = contract.problems(of: ShopRoutes.deals, samples: [NoValue()])
        #expect(deals.isEmpty == (TestedRelease.built == .second))
    }

    @Test("The package trait selects the release, and the entry function describes it to the host")
    func entry() async throws {
        let host = try TestBundleContext(of: ShopBundle.self, manifest: TestedRelease.built.manifest)
        let described = try #require(PluginFolder().entry().principalType).declarations
        let declared = PrincipalType(ShopBundle.self).declarations
        #expect(described.routes == declared.routes && described.targets == declared.targets)
        let bundle = try ShopBundle(context: host.context)
        let greeting = try await host.page(at: "app://shop", of: bundle).content.first
        await host.events.post("Orders.placed", 7)
        #expect(host.log.messages(.debug) == ["order 7 was placed"])
        #expect(greeting == .heading(TestedRelease.built == .first ? "Welcome to the shop" : "Welcome to the new shop"))
    }

    @Test("Each release requires the plugins that it calls, on demand", arguments: TestedRelease.allCases)
    func requirements(release: TestedRelease) throws {
        let requirements = try PluginFolder().manifest(release.manifest).requirements
        let plugins = requirements.filter(\.isOnDemand)
        #expect(plugins.map(\.identifier) == ["com.example.app.account", "com.example.app.orders"])
        #expect(requirements.allSatisfy { $0.versions.description == "^1.0.0" })
        // A library that the plugin links must be loaded before the plugin.
        let libraries = requirements.filter { !$0.isOnDemand }
        #expect(libraries.map(\.identifier) == (release == .first ? [] : ["com.example.lib.money"]))
    }

    @Test("Every text is available in both languages")
    func strings() throws { #expect(try StringsContract(PluginFolder()).problems() == []) }

    @Test("The about page leads to the shop")
    func about() async throws {
        let bench = try await Bench()
        let page = try await bench.page("app://shop/about")
        #expect(page.title == "About the shop")
        try await page.perform("shop", input: [:], on: FakeNavigator(showing: page))
        #expect(bench.router.openedAddresses == ["app://shop"])
    }
}
