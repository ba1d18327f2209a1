import PluginCore
import PluginTestKit
import Testing

/// What Scripts/faults tries in full.
@Suite("A fault")
struct SystemCallFaultTests {
    private func harness() async throws -> (FaultHarness, [FaultOperation]) {
        let build = try HostApp.find()
        let operations = FaultOperation.standard(
            for: Scene.shop,
            versions: [SemanticVersion(major: 1, minor: 0, patch: 0), SemanticVersion(major: 1, minor: 1, patch: 0)],
            beside: Scene.account)
        return (try await FaultHarness(host: build, catalog: build.catalog), operations)
    }

    private func operation(_ name: String, of operations: [FaultOperation]) throws -> FaultOperation {
        try #require(operations.first { $0.name == name })
    }

    @Test(
        "at any system call of a sample leaves the old version or the new one, whole, and the command can be repeated")
    func sample() async throws {
        var (harness, operations) = try await harness()
        harness.every = 41
        harness.seed = 5
        let report = try await harness.run(operations)
        #expect(report.violations.isEmpty, "\(report)")
        #expect(report.missed.isEmpty, "\(report)")
        #expect(report.rows.allSatisfy { $0.points > 300 && $0.tried > 5 }, "\(report)")
    }

    @Test("behind the commit does not take away the version that is active by then", arguments: ["install", "update"])
    func behindCommit(name: String) async throws {
        let (harness, operations) = try await harness()
        let operation = try operation(name, of: operations)
        // SQLite syncs the folder when the journal, and so the way back, has gone.
        let point = try #require(
            try await harness.points(of: operation).last {
                $0.call == "fdatasync" && $0.excerpt.contains("Containers/Bundle>")
            })
        let report = try await harness.run([operation], faults: [.inputOutput, .noSpace, .kill], only: point)
        #expect(report.missed.isEmpty, "\(report)")
        #expect(report.violations.isEmpty, "\(report)")
    }

    @Test("between registry and data does not leave data that was to be deleted and can not be any more")
    func erasing() async throws {
        let (harness, operations) = try await harness()
        let operation = try operation("erase", of: operations)
        let points = try await harness.points(of: operation)
        let commit = try #require(
            points.lastIndex { $0.call == "unlink" && $0.excerpt.contains("registry.sqlite-journal") })
        let report = try await harness.run([operation], faults: [.kill], only: points[commit + 1])
        #expect(report.missed.isEmpty, "\(report)")
        #expect(report.violations.isEmpty, "\(report)")
    }

    @Test("while a floor is raised lets no other floor fall")
    func floors() async throws {
        let (harness, _) = try await harness()
        let operation = FaultOperation(
            "floor", preparation: [.run("install", Scene.shop), .run("open", "app://shop/item/42")],
            command: ["install", "com.example.assets.lantern"])
        let point = try #require(
            try await harness.points(of: operation).first {
                $0.call == "openat" && $0.excerpt.contains("/Floors/com.example.assets.lantern.new")
            })
        let report = try await harness.run([operation], faults: [.inputOutput], only: point)
        #expect(report.missed.isEmpty, "\(report)")
        #expect(report.violations.isEmpty, "\(report)")
    }

    @Test("while the catalog is read is no empty catalog")
    func catalog() async throws {
        let (harness, operations) = try await harness()
        let operation = try operation("update", of: operations)
        let point = try #require(
            try await harness.points(of: operation).first {
                $0.call == "getdents64" && $0.excerpt.contains("/catalog>")
            })
        let report = try await harness.run([operation], faults: [.inputOutput], only: point)
        #expect(report.missed.isEmpty, "\(report)")
        #expect(report.violations.isEmpty, "\(report)")
        #expect(report.rows.first?.outcomes.first?.status != 0)
    }

    @Test("while the newest package is looked for brings no older one")
    func package() async throws {
        let (harness, operations) = try await harness()
        let operation = try operation("update", of: operations)
        let point = try #require(
            try await harness.points(of: operation).first {
                $0.call == "newfstatat" && $0.excerpt.contains("/com.example.lib.money-1.1.0.zip")
            })
        let report = try await harness.run([operation], faults: [.inputOutput], only: point)
        #expect(report.missed.isEmpty, "\(report)")
        #expect(report.violations.isEmpty, "\(report)")
    }

    @Test("that is never reached counts as not tried")
    func unreached() async throws {
        let (harness, operations) = try await harness()
        let report = try await harness.run(
            [try operation("rollback", of: operations)], faults: Fault.allCases,
            only: FaultPoint(call: "openat", number: 60_000))
        #expect(report.missed.count == 3)
        #expect(report.rows.map(\.tried) == [0, 0, 0])
    }
}
