import PluginCore
import PluginTestKit
import FaultInjection
import Testing

/// A sample of the power cuts that `Scripts/faults` tests completely.
@Suite("Power cuts", .tags(.large))
struct PowerCutTests {
    @Test(
        "After a power cut that loses any unsynced data, either version is intact, and reported changes are kept",
        arguments: ["first", "install", "update", "rollback", "uninstall"])
    func sample(name: String) async throws {
        let (harness, operation) = (try await FaultHarness.samples(), FaultOperation.sample(name))
        let points = try await harness.decisivePoints(of: operation)
        let report = try await harness.run([operation], faults: [.powerCut], only: points)
        report.expectNoHarm()
        #expect(report.rows.allSatisfy { $0.points > 20 && $0.tried > 6 }, "\(report)")
    }
}
