import PluginCore
import PluginTestKit
import Testing

@testable import Account

@Suite("The contract of the account plugin", .tags(.medium))
@MainActor
struct ContractTests {
    @Test("The plugin provides exactly what its manifest declares")
    func manifest() async throws {
        let bench = try await Bench()
        try await bench.signIn("BJHL")
        let problems = await ManifestContract(bench.host.manifest).problems(
            of: bench.bundle, in: bench.host.context,
            samples: ["account/profile": "app://account/profile?name=BJHL&age=5"]
        )
        #expect(problems == [])
    }

    @Test("The plugin's interface covers exactly the addresses and actions of its manifest")
    func interface() throws {
        let problems = try InterfaceContract(PluginFolder()).problems()
        #expect(problems == [])
    }

    @Test("Every text is available in both languages")
    func strings() throws {
        let problems = try StringsContract(PluginFolder()).problems()
        #expect(problems == [])
    }

    @Test("The entry function describes the plugin to the host")
    func entry() throws {
        let principal = try EntryDescription(reading: pluginEntry(), of: try PluginFolder().manifest().identity)
            .makePrincipal()
        #expect(principal is AccountBundle)
    }

    @Test("The plugin has no targets and pages before it is loaded")
    func unloaded() async throws {
        let bundle = AccountBundle()
        #expect(bundle.target(named: "Account") == nil)
        let request = ResourceRequest(uri: try ResourceURI("app://account"), name: "home")
        await #expect(throws: AtriumError.self) { try await bundle.resource(for: request) }
    }

    @Test("The about page is available in both languages", arguments: [("en", "About Account"), ("zh-Hans", "关于账户")])
    func about(language: String, title: String) async throws {
        let bench = try await Bench(language: language)
        let page = try await bench.page("app://account/about")
        #expect(page.title == title)
        #expect(page.content.count == 3)
        try await page.perform("home", input: [:], on: FakeNavigator(showing: page))
        #expect(bench.router.openedAddresses == ["app://account"])
    }
}
