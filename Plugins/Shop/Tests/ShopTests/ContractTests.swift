import PluginCore
import PluginTestKit
import ShopInterface
import Testing

@testable import Shop

@Suite("The shop plugin")
@MainActor
struct ContractTests {
    @Test("has all that its manifest declares, and nothing else, in each release", arguments: TestedRelease.allCases)
    func manifest(release: TestedRelease) async throws {
        let bench = try await Bench(release: release)
        let problems = await ManifestContract(bench.host.manifest).problems(
            of: bench.bundle, in: bench.host.context,
            samples: ["shop/item/:id": "app://shop/item/42", "shop/price/:id": "app://shop/price/42"]
        )
        #expect(problems == [])
    }

    @Test("has contracts that callers can rely on, in each release", arguments: TestedRelease.allCases)
    func contracts(release: TestedRelease) throws {
        let contract = ManifestContract(try PluginFolder().manifest(release.manifest))
        let links = [ItemLink(id: 42), ItemLink(id: -1, from: "a&b=c"), ItemLink(id: 7, from: "")]
        #expect(contract.problems(of: ShopRoutes.item, samples: links) == [])
        #expect(contract.problems(of: ShopRoutes.price, samples: [7, Int.min]) == [])
        #expect(contract.problems(of: ShopRoutes.home, samples: [NoValue()]) == [])
        #expect(contract.problems(of: ShopRoutes.a1, samples: [NoValue()]) == [])
        let deals = contract.problems(of: ShopRoutes.deals, samples: [NoValue()])
        #expect(deals.isEmpty == (release == .second))
    }

    @Test("is built as the release that the trait chooses, and describes itself to a host through its entry")
    func entry() async throws {
        let host = try TestBundleContext(manifest: TestedRelease.built.manifest)
        let principal = try EntryDescription(reading: pluginEntry(), of: host.context.identity).makePrincipal()
        try await principal.bundleDidLoad(host.context)
        let greeting = try await host.page(at: "app://shop", of: principal).content.first
        #expect(greeting == .heading(TestedRelease.built == .first ? "Welcome to the shop" : "Welcome to the new shop"))
    }

    @Test("has deals since the second release only")
    func deals() async throws {
        let names = try TestedRelease.allCases.map { try PluginFolder().manifest($0.manifest).routes.map(\.name) }
        #expect(names.map { $0.contains("deals") } == [false, true])
        let request = ResourceRequest(uri: try ResourceURI("app://shop/deals"), name: "deals")
        let first = try await Bench(release: .first)
        let error = await #expect(throws: AtriumError.self) { try await first.bundle.resource(for: request) }
        #expect(error?.code == .resourceUnknown)
    }

    @Test("needs the plugins that it calls, and these when it calls them", arguments: TestedRelease.allCases)
    func requirements(release: TestedRelease) throws {
        let requirements = try PluginFolder().manifest(release.manifest).requirements
        let plugins = requirements.filter(\.isOnDemand)
        #expect(plugins.map(\.identifier) == ["com.example.app.account", "com.example.app.orders"])
        #expect(requirements.allSatisfy { $0.versions.description == "^1.0.0" })
        // What its library is linked with must be there before it is loaded.
        let libraries = requirements.filter { !$0.isOnDemand }
        #expect(libraries.map(\.identifier) == (release == .first ? [] : ["com.example.lib.money"]))
    }

    @Test("has an Interface that calls and opens what its manifest declares, and leaves nothing out")
    func interface() throws {
        let problems = try InterfaceContract(PluginFolder()).problems()
        #expect(problems == [])
    }

    @Test("says everything in both languages")
    func strings() throws {
        let problems = try StringsContract(PluginFolder()).problems()
        #expect(problems == [])
    }

    @Test("offers nothing before it is loaded")
    func unloaded() async throws {
        let request = ResourceRequest(uri: try ResourceURI("app://shop"), name: "home")
        await #expect(throws: AtriumError.self) { try await ShopBundle().resource(for: request) }
    }

    @Test("has an about page in both languages", arguments: [("en", "About the shop"), ("zh-Hans", "关于商店")])
    func about(language: String, title: String) async throws {
        let bench = try await Bench(language: language)
        let page = try await bench.page("app://shop/about")
        #expect(page.title == title)
        try await page.perform("shop", input: [:], on: FakeNavigator(showing: page))
        #expect(bench.router.openedAddresses == ["app://shop"])
    }
}
