import PluginCore
import PluginTestKit
import FaultInjection
import Testing

@Suite("Faults during a rebuild of the registry", .tags(.large))
struct RebuildFaultTests {
    @Test("A fault at a sampled system call leaves either the old or the new registry intact")
    func sample() async throws {
        var harness = try await FaultHarness.samples()
        harness.every = 61
        let operation = FaultOperation.rebuild(
            for: Scene.shop, versions: [.first, .second], beside: Scene.account)
        let report = try await harness.run([operation])
        report.expectNoHarm()
        #expect(
            report.rows.allSatisfy { row in
                let isAnyCall = [.kill, .noSpace, .inputOutput].contains(row.fault)
                return row.points > (isAnyCall ? 1_000 : 80) && row.tried > (isAnyCall ? 5 : 0)
            }, "\(report)")
    }

    @Test("A fault at a change of the registry's folder leaves either registry in place")
    func switching() async throws {
        let harness = try await FaultHarness.samples()
        let operation = FaultOperation.rebuild(
            for: Scene.shop, versions: [.first], beside: nil)
        let points = try await harness.points(of: operation).filter {
            ["link", "linkat", "rename", "renameat", "renameat2", "unlink", "fsync", "fdatasync"].contains($0.call)
                && $0.excerpt.contains("Containers/Bundle")
        }
        #expect(points.count > 3)
        let report = try await harness.run([operation], faults: [.kill, .inputOutput], only: points)
        #expect(report.violations.isEmpty, "\(report)")
    }

    @Test("A read error of the old registry aborts the rebuild instead of counting as damage")
    func reading() async throws {
        let harness = try await FaultHarness.samples()
        let operation = FaultOperation.rebuild(
            for: Scene.shop, versions: [.first, .second], beside: nil)
        let points = try await harness.points(of: operation).filter {
            ["pread64", "newfstatat"].contains($0.call) && $0.excerpt.contains("Bundle/registry.sqlite")
        }
        #expect(points.count > 30)
        // A sample of every third: Scripts/faults tests all of them.
        let sample = stride(from: 0, to: points.count, by: 3).map { points[$0] }
        let report = try await harness.run([operation], faults: [.inputOutput], only: sample)
        report.expectNoHarm()
    }
}
