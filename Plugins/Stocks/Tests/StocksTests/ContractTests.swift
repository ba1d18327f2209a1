import PluginCore
import PluginTestKit
import StocksInterface
import Testing

@testable import Stocks

@Suite("The contract of the stocks plugin", .tags(.medium))
@MainActor
struct ContractTests {
    @Test("The plugin provides exactly what its manifest declares, and requests its app group")
    func manifest() async throws {
        let bench = try Bench()
        let contract = ManifestContract(bench.host.manifest)
        let problems = await contract.problems(of: bench.bundle, in: bench.host.context)
        #expect(problems == [])
        #expect(contract.problems(of: StocksRoutes.list, samples: [NoValue()]) == [])
        #expect(bench.host.manifest.appGroups == [Bench.group])
    }

    @Test("Every text is available in both languages")
    func strings() throws { #expect(try StringsContract(PluginFolder()).problems() == []) }
}
