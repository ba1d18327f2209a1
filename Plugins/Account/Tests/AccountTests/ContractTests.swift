import PluginCore
import PluginTestKit
import Testing

@testable import Account

@Suite("The account plugin")
@MainActor
struct ContractTests {
    @Test("has all that its manifest declares, and nothing else")
    func manifest() async throws {
        let bench = try await Bench()
        try await bench.signIn("BJHL")
        let problems = await ManifestContract(bench.host.manifest).problems(
            of: bench.bundle, in: bench.host.context,
            samples: ["account/profile": "app://account/profile?name=BJHL&age=5"]
        )
        #expect(problems == [])
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

    @Test("describes itself to a host through its entry")
    func entry() throws {
        let principal = try EntryDescription(reading: pluginEntry(), of: try PluginFolder().manifest().identity)
            .makePrincipal()
        #expect(principal is AccountBundle)
    }

    @Test("offers nothing before it is loaded")
    func unloaded() async throws {
        let bundle = AccountBundle()
        #expect(bundle.target(named: "Account") == nil)
        let request = ResourceRequest(uri: try ResourceURI("app://account"), name: "home")
        await #expect(throws: AtriumError.self) { try await bundle.resource(for: request) }
    }

    @Test("has an about page in both languages", arguments: [("en", "About Account"), ("zh-Hans", "关于账户")])
    func about(language: String, title: String) async throws {
        let bench = try await Bench(language: language)
        let page = try await bench.page("app://account/about")
        #expect(page.title == title)
        #expect(page.content.count == 3)
        try await page.perform("home", input: [:], on: FakeNavigator(showing: page))
        #expect(bench.router.openedAddresses == ["app://account"])
    }
}
