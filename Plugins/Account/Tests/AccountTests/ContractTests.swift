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
    func strings() throws {
        let problems = try StringsContract(PluginFolder()).problems()
        #expect(problems == [])
    }

    @Test(
        "The about page is available in both languages, with a section about stored data",
        arguments: [("en", "About Account", "What it keeps"), ("zh-Hans", "关于账户", "保存的内容")])
    func about(language: String, title: String, section: String) async throws {
        let bench = try await Bench(language: language)
        let page = try await bench.page("app://account/about")
        #expect(page.title == title)
        let row = PageRow(bench.bundle.strings.string("about.name"))
        #expect(page.content.last == .section(title: section, [.list([row])]))
        #expect(page.content.count == 2)
        try await page.perform("home", input: [:], on: FakeNavigator(showing: page))
        #expect(bench.router.openedAddresses == ["app://account"])
    }
}
