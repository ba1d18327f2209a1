import PluginCore
import PluginTestKit
import FaultInjection
import Testing

/// A sample of the faults of operations that fetch from a web server.
@Suite("Faults while a published catalog is used", .tags(.large), .timeLimit(.minutes(10)))
struct PublishedFaultTests {
    private func harness() async throws -> (FaultHarness, [FaultOperation]) {
        let build = try HostApp.find()
        let catalog = try ThrowawayCatalog(copying: build.catalog)
        let others = [Scene.account, Scene.orders, "com.example.lib.money"].map { catalog.package($0, .first) }
        let site = try await PublishedSite(
            of: [catalog.package(Scene.shop, .first)] + others, then: [catalog.package(Scene.shop, .second)], by: build)
        var harness = try await FaultHarness.samples()
        harness.invariants.append(.downloadsAreWhole(digests: site.digests))
        return (harness, FaultOperation.published(Scene.shop, on: site))
    }

    @Test(
        "A fault while packages are downloaded or metadata is refreshed loses nothing, and the command can be repeated")
    func sample() async throws {
        var (harness, operations) = try await harness()
        harness.every = 109
        harness.seed = 3
        let report = try await harness.run(operations, faults: [.kill, .noSpace, .inputOutput])
        report.expectNoHarm()
        #expect(report.rows.allSatisfy { $0.points > 300 && $0.tried > 1 }, "\(report)")
    }

    @Test("A kill between any two files of a refresh leaves the old or the new metadata, as a whole")
    func metadata() async throws {
        let (harness, operations) = try await harness()
        let refresh = try #require(operations.first { $0.name == "refresh" })
        let reference = try await harness.reference(of: refresh)
        let states = [reference.before, reference.after].map { $0.catalogs.values.first?["timestamp"] }
        #expect(states == [1, 2])
        let points = try await harness.points(of: refresh).filter {
            $0.call.hasPrefix("rename") && $0.excerpt.contains("/metadata")
        }
        // Timestamp, snapshot and targets are kept, and the first two are replaced: the package is in a bin.
        #expect(points.count == 5, "\(points)")
        let report = try await harness.run([refresh], faults: [.kill], only: points)
        report.expectNoHarm()
    }

    @Test("After a power cut while metadata is refreshed, either metadata is there as a whole, and a refresh works")
    func powerCut() async throws {
        let (harness, operations) = try await harness()
        let refresh = try #require(operations.first { $0.name == "refresh" })
        let decisive = try await harness.decisivePoints(of: refresh)
        #expect(decisive.contains { $0.excerpt.contains("/metadata") }, "\(decisive)")
        let report = try await harness.run([refresh], faults: [.powerCut], only: decisive)
        report.expectNoHarm()
        #expect(report.rows.allSatisfy { $0.points > 20 && $0.tried > 6 }, "\(report)")
    }

    @Test("A kill while a package arrives leaves a part, with which the next download goes on, and no wrong file")
    func part() async throws {
        let (harness, operations) = try await harness()
        let download = try #require(operations.first { $0.name == "download" })
        let writes = try await harness.points(of: download).filter {
            $0.call == "write" && $0.excerpt.contains(".partial")
        }
        #expect(writes.count > 4)
        let places = [1, writes.count / 2, writes.count - 1].map { writes[$0] }
        let report = try await harness.run([download], faults: [.kill], only: places)
        report.expectNoHarm()
    }
}
