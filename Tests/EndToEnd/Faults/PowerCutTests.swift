import PluginCore
import PluginTestKit
import FaultInjection
import Testing

/// A sample of the power cuts that `Scripts/faults` tests completely.
@Suite("Power cuts", .tags(.large))
struct PowerCutTests {
    private static let operations = FaultOperation.standard(
        for: Scene.shop,
        versions: [SemanticVersion(major: 1, minor: 0, patch: 0), SemanticVersion(major: 1, minor: 1, patch: 0)],
        beside: Scene.account, opening: [Scene.shop: "app://shop", Scene.account: "app://account"])

    @Test(
        "After a power cut that loses any unsynced data, either version is intact, and reported changes are kept",
        arguments: ["first", "install", "update", "rollback", "uninstall"])
    func sample(name: String) async throws {
        let build = try HostApp.find()
        let harness = try await FaultHarness(host: build, catalog: build.catalog)
        let operation = try #require(Self.operations.first { $0.name == name })
        let points = try await harness.points(of: operation, for: .powerCut)
        // The sample contains the renames and syncs, and the last call, after which success is reported.
        let decisive = points.enumerated().filter { index, point in
            index == points.count - 1
                || ["rename", "renameat2", "unlink", "unlinkat", "rmdir", "syncfs", "fdatasync"].contains(point.call)
        }
        let report = try await harness.run([operation], faults: [.powerCut], only: decisive.map(\.element))
        #expect(report.violations.isEmpty, "\(report)")
        #expect(report.missed.isEmpty, "\(report)")
        #expect(report.rows.allSatisfy { $0.points > 20 && $0.tried > 6 }, "\(report)")
    }
}
