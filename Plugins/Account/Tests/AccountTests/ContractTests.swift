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
        try await bench.signIn("Ann")
        let problems = await ManifestContract(bench.host.manifest).problems(
            of: bench.bundle, in: bench.host.context,
            samples: ["account/profile": "app://account/profile?name=Ann&age=30"]
        )
        #expect(problems == [])
    }

    @Test("Every text is available in both languages")
    func strings() throws { #expect(try StringsContract(PluginFolder()).problems() == []) }

    @Test("The about page has a section about stored data")
    func about() async throws {
        let bench = try await Bench()
        let page = try await bench.page("app://account/about")
        #expect(page.title == "About Account")
        let row = PageRow(bench.bundle.texts.aboutName)
        #expect(page.content.last == .section(title: "What it keeps", [.list([row])]))
        #expect(page.content.count == 2)
        try await page.perform("home", input: [:], on: FakeNavigator(showing: page))
        #expect(bench.router.openedAddresses == ["app://account"])
    }
}
