import PluginCore
import PluginTestKit
import ShopInterface
import Testing

@testable import Shop

@Suite("The contract of the shop plugin", .tags(.medium))
@MainActor
struct ContractTests {
    @Test("The plugin provides exactly what its manifest declares")
    func manifest() async throws {
        let bench = try await Bench()
        let problems = await ManifestContract(bench.host.manifest).problems(
            of: bench.bundle, in: bench.host.context,
            samples: ["shop/item/:id": "app://shop/item/42", "shop/price/:id": "app://shop/price/42"]
        )
        #expect(problems == [])
    }

    @Test("The typed contracts match the routes")
    func contracts() throws {
        let contract = ManifestContract(try PluginFolder().manifest("manifest.json", of: ShopBundle.self))
        let links = [ItemLink(id: 42), ItemLink(id: -1, from: "a&b=c"), ItemLink(id: 7, from: "")]
        #expect(contract.problems(of: ShopRoutes.item, samples: links) == [])
        #expect(contract.problems(of: ShopRoutes.price, samples: [7, Int.min]) == [])
        #expect(contract.problems(of: ShopRoutes.home, samples: [NoValue()]) == [])
        #expect(contract.problems(of: ShopRoutes.gift, samples: [NoValue()]) == [])
        #expect(contract.problems(of: ShopRoutes.deals, samples: [NoValue()]) == [])
    }

    @Test("The entry function describes the plugin to the host")
    func entry() async throws {
        let bench = try await Bench()
        let described = try #require(PluginFolder().entry().principalType).declarations
        let declared = PrincipalType(ShopBundle.self).declarations
        #expect(described.routes == declared.routes && described.targets == declared.targets)
        await bench.host.events.post("Orders.placed", 7)
        #expect(bench.host.log.messages(.debug) == ["order 7 was placed"])
    }

    @Test("It requires the plugins that it calls on demand, and first the library that it links")
    func requirements() throws {
        let requirements = try PluginFolder().manifest("manifest.json").requirements
        #expect(requirements.allSatisfy { $0.versions.description == "^1.0.0" })
        let (plugins, libraries) = (requirements.filter(\.isOnDemand), requirements.filter { !$0.isOnDemand })
        #expect(plugins.map(\.identifier) == ["com.example.app.account", "com.example.app.orders"])
        #expect(libraries.map(\.identifier) == ["com.example.lib.money"])
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
