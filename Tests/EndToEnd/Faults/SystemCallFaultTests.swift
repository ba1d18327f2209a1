import PluginCore
import PluginTestKit
import FaultInjection
import Testing

/// A sample of the faults that `Scripts/faults` tests completely.
@Suite("Failing system calls", .tags(.large))
struct SystemCallFaultTests {
    @Test(
        "A fault at a sampled system call leaves either version intact, and the command can be repeated")
    func sample() async throws {
        var harness = try await FaultHarness.samples()
        harness.every = 211
        harness.seed = 5
        let report = try await harness.run(FaultOperation.samples, faults: [.kill, .noSpace, .inputOutput])
        report.expectNoHarm()
        #expect(report.rows.allSatisfy { $0.points > 300 && $0.tried > 1 }, "\(report)")
        // Without bundles that have run, a lost minimum version would not be detected.
        #expect(report.rows.allSatisfy { ($0.minimumVersions > 0) == ($0.operation != "first") }, "\(report)")
    }

    @Test("The operations under test include starts that activate, quarantine and only launch a version")
    func starts() async throws {
        let harness = try await FaultHarness.samples()
        for (name, before, after) in [
            ("activate", "1.0.0", "1.1.0"), ("quarantine", "1.1.0", "1.0.0"), ("launch", "1.1.0", "1.1.0"),
        ] {
            let reference = try await harness.reference(of: .sample(name))
            let versions = [reference.before, reference.after].map {
                $0.installed[Scene.shop]?.active.identity.version.description
            }
            #expect(versions == [before, after], "\(name)")
        }
    }

    @Test(
        "A failing sync of the whole file system leaves the old version intact",
        arguments: [Fault.kill, .noSpace, .inputOutput])
    func fileSystemSync(fault: Fault) async throws {
        // For more than two dozen files, one call syncs the whole file system.
        let catalog = try ThrowawayCatalog(copying: HostApp.find().catalog)
        let lantern = "com.example.assets.lantern"
        let (old, new) = (SemanticVersion.first, SemanticVersion.second)
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
        report.expectNoHarm()
        #expect(report.rows.first?.outcomes.first?.status != 0, "what was not waited for was said to be done")
    }

    /// Points of an operation at which a fault could do harm that only a host without care would do.
    struct Place: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let operation: FaultOperation
        var faults: [Fault] = [.inputOutput]
        /// The number of points must be higher.
        var minimum = 0
        /// A Boolean value that indicates whether the command must end with an error.
        var isRefused = false
        let choose: @Sendable ([FaultPoint]) -> [FaultPoint]

        init(
            _ description: String, _ operation: FaultOperation, faults: [Fault] = [.inputOutput], minimum: Int = 0,
            isRefused: Bool = false, choose: @escaping @Sendable ([FaultPoint]) -> [FaultPoint]
        ) {
            testDescription = description
            (self.operation, self.faults, self.minimum) = (operation, faults, minimum)
            (self.isRefused, self.choose) = (isRefused, choose)
        }

        static let all =
            behindCommit + libraries + [
                Place(
                    "between registry and data: no data is left that cannot be deleted", .sample("erase"),
                    faults: [.kill]
                ) {
                    points in
                    let commit = points.lastIndex {
                        $0.call == "unlink" && $0.excerpt.contains("registry.sqlite-journal")
                    }
                    return commit.map { [points[$0 + 1]] } ?? []
                },
                Place("while a minimum version is raised: no other one is lowered", raising) { points in
                    let file = /\/MinimumVersions>?.*\.com\.example\.assets\.lantern\.new/
                    return points.filter { $0.call == "openat" && $0.excerpt.contains(file) }.prefix(1).map(\.self)
                },
                Place("while a minimum version is read: the update is not prevented", .sample("update"), minimum: 3) {
                    $0.filter {
                        $0.excerpt.contains("/MinimumVersions/\(Scene.shop)")
                            && ["openat", "newfstatat", "pread64"].contains($0.call)
                    }
                },
                // A sample of every third: Scripts/faults tests all of them.
                Place("at a lock of the registry: a folder of the first install stays", .sample("first"), minimum: 10) {
                    let locks = $0.filter { $0.call == "fcntl" && $0.excerpt.contains("registry.sqlite") }
                    return stride(from: 0, to: locks.count, by: 3).map { locks[$0] }
                },
                Place("while the catalog is listed: it is not taken for empty", .sample("update"), isRefused: true) {
                    $0.filter { $0.call == "getdents64" && $0.excerpt.contains("/catalog>") }.prefix(1).map(\.self)
                },
                Place("while the newest package is found: no older one is selected", .sample("update")) {
                    let package = "/com.example.lib.money-1.1.0.zip"
                    return $0.filter { $0.call == "newfstatat" && $0.excerpt.contains(package) }.prefix(1).map(\.self)
                },
            ]

        /// After it has removed the journal, which ends the chance to roll back, SQLite syncs the folder.
        private static let behindCommit = ["install", "update"].map { name in
            Place(
                "after the commit of \(name): the active version stays", .sample(name),
                faults: [.inputOutput, .noSpace, .kill]
            ) {
                $0.filter { $0.call == "fdatasync" && $0.excerpt.contains("Containers/Bundle>") }.suffix(1).map(\.self)
            }
        }

        private static let libraries = ["libc.so.6", "/Staging/"].map { place in
            Place(
                "while a library in \(place) is read: it is not rejected", .sample("update"),
                faults: [.inputOutput, .noSpace], minimum: 1
            ) {
                $0.filter {
                    ["openat", "newfstatat"].contains($0.call) && $0.excerpt.contains(place)
                        && $0.excerpt.contains(".so")
                }
            }
        }

        private static let raising = FaultOperation(
            "minimum version", preparation: [.run("install", Scene.shop), .run("open", "app://shop/item/42")],
            command: ["install", "com.example.assets.lantern"])
    }

    @Test("A fault at a delicate place does no harm", arguments: Place.all)
    func delicate(place: Place) async throws {
        let harness = try await FaultHarness.samples()
        let points = place.choose(try await harness.points(of: place.operation))
        #expect(points.count > place.minimum)
        let report = try await harness.run([place.operation], faults: place.faults, only: points)
        report.expectNoHarm()
        if place.isRefused { #expect(report.rows.first?.outcomes.first?.status != 0) }
    }

    @Test("A fault at a system call that is not reached counts as not tested")
    func unreached() async throws {
        let report = try await FaultHarness.samples().run(
            [.sample("rollback")], faults: Fault.allCases,
            only: [FaultPoint(call: "openat", number: 60_000)])
        #expect(report.missed.count == Fault.allCases.count)
        #expect(report.rows.allSatisfy { $0.tried == 0 })
    }
}
