import PluginCore
import PluginTestKit
import FaultInjection
import Testing

/// A sample of the faults that `Scripts/faults` tests completely.
@Suite("Failing system calls", .tags(.large))
struct SystemCallFaultTests {
    private func harness() async throws -> (FaultHarness, [FaultOperation]) {
        let build = try HostApp.find()
        let operations = FaultOperation.standard(
            for: Scene.shop,
            versions: [SemanticVersion(major: 1, minor: 0, patch: 0), SemanticVersion(major: 1, minor: 1, patch: 0)],
            beside: Scene.account, opening: [Scene.shop: "app://shop", Scene.account: "app://account"])
        return (try await FaultHarness(host: build, catalog: build.catalog), operations)
    }

    private func operation(_ name: String, of operations: [FaultOperation]) throws -> FaultOperation {
        try #require(operations.first { $0.name == name })
    }

    @Test(
        "A fault at a sampled system call leaves either version intact, and the command can be repeated")
    func sample() async throws {
        var (harness, operations) = try await harness()
        harness.every = 211
        harness.seed = 5
        let report = try await harness.run(operations, faults: [.kill, .noSpace, .inputOutput])
        #expect(report.violations.isEmpty, "\(report)")
        #expect(report.missed.isEmpty, "\(report)")
        #expect(report.rows.allSatisfy { $0.points > 300 && $0.tried > 1 }, "\(report)")
    }

    @Test("The operations under test start with bundles that have run, so that lost minimum versions are detected")
    func floored() async throws {
        let (harness, operations) = try await harness()
        #expect(operations.map(\.name).contains("use"))
        for operation in operations where operation.name != "first" {
            let before = try await harness.reference(of: operation).before
            let minimumVersions = try before.registry.get().mirroredMinimumVersions
            #expect(before.minimumVersions == minimumVersions, "\(operation.name)")
            let expected =
                switch operation.name {
                case "install", "together": [Scene.account: "1.0.0"]
                case "update", "use", "gc", "activate", "quarantine": [Scene.account: "1.0.0", Scene.shop: "1.0.0"]
                default: [Scene.account: "1.0.0", Scene.shop: "1.1.0"]
                }
            let business = minimumVersions.filter { !$0.key.contains(".lib.") }
            #expect(business.mapValues(\.description) == expected, "\(operation.name)")
        }
    }

    @Test("The operations under test include starts that activate, quarantine and only launch a version")
    func starts() async throws {
        let (harness, operations) = try await harness()
        for (name, before, after) in [
            ("activate", "1.0.0", "1.1.0"), ("quarantine", "1.1.0", "1.0.0"), ("launch", "1.1.0", "1.1.0"),
        ] {
            let reference = try await harness.reference(of: try operation(name, of: operations))
            let versions = [reference.before, reference.after].map {
                $0.installed[Scene.shop]?.active.identity.version.description
            }
            #expect(versions == [before, after], "\(name)")
        }
    }

    @Test("The operations under test contain an address by which the bundle runs")
    func address() async throws {
        let scene = try Scene()
        let (one, two) = (
            SemanticVersion(major: 1, minor: 0, patch: 0), SemanticVersion(major: 1, minor: 1, patch: 0)
        )
        let shop = try await FaultOperation.address(
            of: Scene.shop, versions: [one, two], on: scene.host, catalog: scene.catalog)
        #expect(shop == "app://shop")
        let lantern = try await FaultOperation.address(
            of: "com.example.assets.lantern", versions: [one], on: scene.host, catalog: scene.catalog)
        #expect(lantern == nil)
    }

    @Test(
        "A failing sync of the whole file system leaves the old version intact",
        arguments: [Fault.kill, .noSpace, .inputOutput])
    func fileSystemSync(fault: Fault) async throws {
        // For more than two dozen files, one call syncs the whole file system.
        let catalog = try ThrowawayCatalog(copying: HostApp.find().catalog)
        let lantern = "com.example.assets.lantern"
        let (old, new) = (SemanticVersion(major: 1, minor: 0, patch: 0), SemanticVersion(major: 1, minor: 1, patch: 0))
        try catalog.pack(from: catalog.package(lantern, old)) { package in
            try package.rename(version: "\(new)")
            for number in 0..<40 { package.set("Resources/Many/\(number).txt", to: "\(number)\n") }
        }
        let harness = try await FaultHarness(host: .find(), catalog: catalog.folder)
        let operation = FaultOperation(
            "many", preparation: [.run("install", "\(lantern)@\(old)")], command: ["update", lantern])
        let points = try await harness.points(of: operation).filter { $0.call == "syncfs" }
        #expect(points.count == 1)
        let point = try #require(points.first)
        let report = try await harness.run([operation], faults: [fault], only: [point])
        #expect(report.missed.isEmpty, "\(report)")
        #expect(report.violations.isEmpty, "\(report)")
        #expect(report.rows.first?.outcomes.first?.status != 0, "what was not waited for was said to be done")
    }

    @Test(
        "A fault after the commit does not remove the version that has become active", arguments: ["install", "update"])
    func behindCommit(name: String) async throws {
        let (harness, operations) = try await harness()
        let operation = try operation(name, of: operations)
        // After it has removed the journal, which ends the chance to roll back, SQLite syncs the folder.
        let point = try #require(
            try await harness.points(of: operation).last {
                $0.call == "fdatasync" && $0.excerpt.contains("Containers/Bundle>")
            })
        let report = try await harness.run([operation], faults: [.inputOutput, .noSpace, .kill], only: [point])
        #expect(report.missed.isEmpty, "\(report)")
        #expect(report.violations.isEmpty, "\(report)")
    }

    @Test("A fault between registry and data does not leave data that can no longer be deleted")
    func erasing() async throws {
        let (harness, operations) = try await harness()
        let operation = try operation("erase", of: operations)
        let points = try await harness.points(of: operation)
        let commit = try #require(
            points.lastIndex { $0.call == "unlink" && $0.excerpt.contains("registry.sqlite-journal") })
        let report = try await harness.run([operation], faults: [.kill], only: [points[commit + 1]])
        #expect(report.missed.isEmpty, "\(report)")
        #expect(report.violations.isEmpty, "\(report)")
    }

    @Test("A fault while a minimum version is raised does not lower another one")
    func minimumVersions() async throws {
        let (harness, _) = try await harness()
        let operation = FaultOperation(
            "minimum version", preparation: [.run("install", Scene.shop), .run("open", "app://shop/item/42")],
            command: ["install", "com.example.assets.lantern"])
        let point = try #require(
            try await harness.points(of: operation).first {
                $0.call == "openat" && $0.excerpt.contains("/MinimumVersions/.com.example.assets.lantern.new")
            })
        let report = try await harness.run([operation], faults: [.inputOutput], only: [point])
        #expect(report.missed.isEmpty, "\(report)")
        #expect(report.violations.isEmpty, "\(report)")
    }

    @Test("A read error of a minimum version does not prevent an update")
    func readingMinimumVersions() async throws {
        let (harness, operations) = try await harness()
        let operation = try operation("update", of: operations)
        let points = try await harness.points(of: operation).filter {
            $0.excerpt.contains("/MinimumVersions/\(Scene.shop)")
                && ["openat", "newfstatat", "pread64"].contains($0.call)
        }
        #expect(points.count > 3)
        let report = try await harness.run([operation], faults: [.inputOutput], only: points)
        #expect(report.missed.isEmpty, "\(report)")
        #expect(report.violations.isEmpty, "\(report)")
    }

    @Test(
        "A read error of a library neither rejects it nor selects an older version",
        arguments: ["libc.so.6", "/Staging/"])
    func judging(place: String) async throws {
        let (harness, operations) = try await harness()
        let operation = try operation("update", of: operations)
        let points = try await harness.points(of: operation).filter {
            ["openat", "newfstatat"].contains($0.call) && $0.excerpt.contains(place) && $0.excerpt.contains(".so")
        }
        #expect(points.count > 1)
        let report = try await harness.run([operation], faults: [.inputOutput, .noSpace], only: points)
        #expect(report.missed.isEmpty, "\(report)")
        #expect(report.violations.isEmpty, "\(report)")
    }

    @Test("A failing lock of the registry does not remove a folder that the first install has created")
    func locking() async throws {
        let (harness, operations) = try await harness()
        let operation = try operation("first", of: operations)
        let points = try await harness.points(of: operation).filter {
            $0.call == "fcntl" && $0.excerpt.contains("registry.sqlite")
        }
        #expect(points.count > 30)
        // A sample of every third: Scripts/faults tests all of them.
        let sample = stride(from: 0, to: points.count, by: 3).map { points[$0] }
        let report = try await harness.run([operation], faults: [.inputOutput], only: sample)
        #expect(report.missed.isEmpty, "\(report)")
        #expect(report.violations.isEmpty, "\(report)")
    }

    @Test("A read error of the catalog is not taken for an empty catalog")
    func catalog() async throws {
        let (harness, operations) = try await harness()
        let operation = try operation("update", of: operations)
        let point = try #require(
            try await harness.points(of: operation).first {
                $0.call == "getdents64" && $0.excerpt.contains("/catalog>")
            })
        let report = try await harness.run([operation], faults: [.inputOutput], only: [point])
        #expect(report.missed.isEmpty, "\(report)")
        #expect(report.violations.isEmpty, "\(report)")
        #expect(report.rows.first?.outcomes.first?.status != 0)
    }

    @Test("A read error of the newest package does not select an older one")
    func package() async throws {
        let (harness, operations) = try await harness()
        let operation = try operation("update", of: operations)
        let point = try #require(
            try await harness.points(of: operation).first {
                $0.call == "newfstatat" && $0.excerpt.contains("/com.example.lib.money-1.1.0.zip")
            })
        let report = try await harness.run([operation], faults: [.inputOutput], only: [point])
        #expect(report.missed.isEmpty, "\(report)")
        #expect(report.violations.isEmpty, "\(report)")
    }

    @Test("A fault at a system call that is not reached counts as not tested")
    func unreached() async throws {
        let (harness, operations) = try await harness()
        let report = try await harness.run(
            [try operation("rollback", of: operations)], faults: Fault.allCases,
            only: [FaultPoint(call: "openat", number: 60_000)])
        #expect(report.missed.count == Fault.allCases.count)
        #expect(report.rows.allSatisfy { $0.tried == 0 })
    }
}
