import PluginCore
@testable import PluginRuntime
import Testing

@Suite("What a host finds when it starts")
struct SettleTests {
    private static func package(_ version: String) -> SamplePackage {
        SamplePackage(version: version, kind: "assets", library: nil)
    }

    /// A host that ships with packages.
    private func shipping(_ host: TestHost, _ versions: String...) throws -> BundleManager {
        let folder = host.root.appending("shipped")
        try folder.makeFolder()
        for version in versions { try Self.package(version).write(to: folder) }
        return BundleManager(
            sandbox: host.sandbox, catalog: DirectoryCatalog(folder: host.catalog),
            builtIn: DirectoryCatalog(folder: folder), trust: host.root.appending("trust.json"),
            services: HostServices(languages: ["en"]) { _, _, _ in })
    }

    @Test("is nothing to do, as a rule, and then nothing is written")
    func nothing() async throws {
        try await withHost { host in
            #expect(try await host.manager.settle().isEmpty)
            #expect(!host.sandbox.root.exists)
            try host.offer(SamplePackage())
            try await host.manager.install(TestHost.shop)
            let before = try host.tree
            #expect(try await host.another().manager.settle().isEmpty)
            #expect(try host.tree == before)
        }
    }

    @Test("is a staged version, which becomes active then and not before")
    func staged() async throws {
        try await withHost { host in
            try host.offer(Self.package("1.0.0"), Self.package("1.1.0"))
            try await host.manager.install(TestHost.shop, version: host.version("1.0.0"))
            let report = try #require(try await host.manager.change([.update(TestHost.shop)], staging: true).first)
            #expect(report.isStaged && report.bundle.identity.version.description == "1.1.0")
            #expect(try host.versions() == ["1.0.0", nil])
            #expect(try host.registry.staged().map(\.identity.version.description) == ["1.1.0"])
            // It is no garbage.
            #expect(try await host.manager.collectGarbage().removed == [])
            let settled = try await host.another().manager.settle()
            #expect(settled.map(\.bundle.identity.version.description) == ["1.1.0"])
            #expect(try host.versions() == ["1.1.0", "1.0.0"])
            #expect(try host.registry.staged() == [])
        }
    }

    @Test("is what ships with the host, when it is newer than what is installed")
    func builtIn() async throws {
        try await withHost { host in
            try host.offer(Self.package("1.0.0"))
            try await host.manager.install(TestHost.shop)
            let manager = try shipping(host, "1.2.0")
            #expect(try await manager.settle().map(\.bundle.identity.version.description) == ["1.2.0"])
            #expect(try host.versions() == ["1.2.0", "1.0.0"])
            // Seen once, it is not looked at again until something is put beside it.
            let before = try host.tree
            #expect(try await manager.settle().isEmpty)
            #expect(try host.tree == before)
        }
    }

    @Test("is not what ships with the host, when it is older, or the user went back from it")
    func notBuiltIn() async throws {
        try await withHost { host in
            try host.offer(Self.package("1.1.0"), Self.package("1.3.0"))
            try await host.manager.install(TestHost.shop)
            #expect(try await shipping(host, "1.2.0").settle().isEmpty)
            #expect(try host.versions() == ["1.3.0", nil])
        }
        try await withHost { host in
            try host.offer(Self.package("1.0.0"))
            try await host.manager.install(TestHost.shop)
            try await shipping(host, "1.2.0").settle()
            try await host.manager.rollBack(TestHost.shop)
            #expect(try await shipping(host, "1.2.0", "1.1.0").settle().isEmpty)
            #expect(try host.versions() == ["1.0.0", "1.2.0"])
            // One that is newer than what the user has seen is another matter.
            #expect(try await shipping(host, "1.2.1").settle().count == 1)
        }
    }

    @Test("is what ships with the host, once another host is done that changed the sandbox at the first start")
    func builtInLater() async throws {
        try await withHost { host in
            try host.offer(Self.package("1.0.0"))
            try await host.manager.install(TestHost.shop)
            let manager = try shipping(host, "1.2.0")
            try await host.manager.whileAlone {
                let settled = try await manager.settle()
                #expect(settled.isEmpty)
            }
            #expect(try await manager.settle().count == 1)
        }
    }

    @Test("is the newest that ships with the host and was not put away")
    func builtInBarred() async throws {
        try await withHost { host in
            try host.offer(Self.package("1.0.0"))
            try await host.manager.install(TestHost.shop)
            let manager = try shipping(host, "1.2.0", "1.3.0")
            try host.block("1.3.0", in: host.root.appending("shipped"))
            #expect(try await manager.settle().count == 1)
            #expect(try host.versions() == ["1.2.0", "1.0.0"])
        }
    }

    @Test(
        "is what interrupted work has left in Staging, which goes unless somebody works there",
        arguments: [false, true])
    func remains(isBusy: Bool) async throws {
        try await withHost { host in
            try host.offer(Self.package("1.0.0"))
            try await host.manager.install(TestHost.shop)
            let folder = host.sandbox.staging.appending("rest")
            try folder.makeFolder()
            try folder.appending("file").write("half")
            let other = try host.another()
            if isBusy {
                try await host.manager.whileAlone {
                    try await other.manager.settle()
                }
            } else {
                try await other.manager.settle()
            }
            #expect(folder.exists == isBusy && other.log.isEmpty)
        }
    }

    @Test("is no trouble when it may not be written")
    func readOnly() async throws {
        try await withHost { host in
            try host.offer(Self.package("1.0.0"))
            try await host.manager.install(TestHost.shop)
            try host.sandbox.staging.appending("rest").makeFolder()
            let root = host.root.string
            await #expect(processExitsWith: .success) { [root = root as String] in
                let host = try TestHost(FilePath(root))
                let before = try host.tree
                try becomeReader(of: host.sandbox)
                try await host.manager.settle()
                #expect(host.log.isEmpty)
                #expect(try host.tree == before)
            }
        }
    }

    @Test("can be installed without a catalog, because it ships with the host")
    func offline() async throws {
        try await withHost { host in
            try host.catalog.remove()
            let manager = try shipping(host, "1.2.0")
            try await manager.install(TestHost.shop)
            #expect(try host.versions() == ["1.2.0", nil])
            let listing = try manager.catalog.listing()
            #expect(listing.packages.count == 1)
            #expect(listing.problems.map(\.code) == [.catalogUnreachable])
        }
    }

    @Test("does not keep a host from starting when another one changes the sandbox")
    func busy() async throws {
        try await withHost { host in
            try host.offer(Self.package("1.0.0"), Self.package("1.1.0"))
            try await host.manager.install(TestHost.shop, version: host.version("1.0.0"))
            try await host.manager.change([.update(TestHost.shop)], staging: true)
            let other = try host.another()
            try await host.manager.whileAlone {
                let settled = try await other.manager.settle()
                #expect(settled.isEmpty)
            }
            #expect(other.log.count == 1 && other.log[0].hasPrefix("making staged versions active has to wait: "))
            #expect(try await other.manager.settle().count == 1)
        }
    }
}

@Suite("The floor of a bundle")
struct FloorTests {
    @Test("is the highest version that has run here, survives an uninstall, and lets nothing below it in")
    func survives() async throws {
        try await withHost { host in
            try host.offer(
                SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"), SamplePackage(version: "1.2.0"))
            let version = try host.version("1.1.0")
            let bundle = try await host.manager.install(TestHost.shop, version: version).bundle
            #expect(try host.registry.floor(of: TestHost.shop) == nil)
            try host.registry.prove(bundle)
            #expect(try host.registry.floor(of: TestHost.shop) == version)
            try await host.manager.uninstall(TestHost.shop, deleteData: true)
            #expect(try host.registry.floor(of: TestHost.shop) == version)
            let error = try await host.refusal(.downgrade) {
                try await host.manager.install(TestHost.shop, version: host.version("1.0.0"))
            }
            #expect(error.detail == "1.1.0 has run here")
            try await host.manager.install(TestHost.shop)
            #expect(try host.versions() == ["1.2.0", nil])
        }
    }

    @Test("is no obstacle to going back to a version that ran here, and does not fall by that")
    func rollBack() async throws {
        try await withHost { host in
            try host.offer(SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"))
            let old = try await host.manager.install(TestHost.shop, version: host.version("1.0.0")).bundle
            try host.registry.prove(old)
            try host.registry.prove(try await host.manager.update(TestHost.shop).bundle)
            try await host.manager.rollBack(TestHost.shop)
            #expect(try host.versions() == ["1.0.0", "1.1.0"])
            #expect(try host.registry.floor(of: TestHost.shop)?.description == "1.1.0")
        }
    }

    @Test("lets nobody go back below it to a version that has never run here")
    func rollBackToUnknown() async throws {
        try await withHost { host in
            try host.offer(SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"))
            try await host.manager.install(TestHost.shop, version: host.version("1.0.0"))
            let new = try await host.manager.update(TestHost.shop).bundle
            try host.registry.prove(new)
            let error = try await host.refusal(.nothingToRollBack) { try await host.manager.rollBack(TestHost.shop) }
            #expect(error.detail == "1.1.0 has run here, and 1.0.0 is not known to have")
        }
    }

    @Test(
        "leaves nothing to go back to where only what has never run here was kept, and that goes with the next change")
    func unreachable() async throws {
        try await withHost { host in
            try host.offer(
                SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"), SamplePackage(version: "1.2.0"))
            for version in ["1.0.0", "1.1.0"] {
                try await host.manager.install(TestHost.shop, version: host.version(version))
            }
            let words = { try host.manager.diagnosis(of: TestHost.shop).findings.first?.words }
            #expect(try host.versions() == ["1.1.0", "1.0.0"])
            #expect(try words() == "1.1.0 is active, and 1.0.0 is kept to roll back to until 1.1.0 has run")
            try host.registry.prove(try #require(try host.registry.active(TestHost.shop)))
            #expect(try host.versions() == ["1.1.0", nil])
            #expect(try words() == "1.1.0 is active")
            // It is whole and named until then, and no remains.
            #expect(try host.folders() == ["1.0.0", "1.1.0"])
            #expect(host.manager.checkup().allSatisfy { $0.severity == .fine })
            try await host.manager.update(TestHost.shop)
            #expect(try host.versions() == ["1.2.0", "1.1.0"])
            #expect(try host.folders() == ["1.1.0", "1.2.0"])
        }
    }

    @Test("leaves to a collection what was kept and cannot be gone back to, damaged or not")
    func unreachableCollected() async throws {
        try await withHost { host in
            try host.offer(SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"))
            let old = try await host.manager.install(TestHost.shop, version: host.version("1.0.0")).bundle
            try host.registry.prove(try await host.manager.update(TestHost.shop).bundle)
            try host.sandbox.folder(of: old).appending("extra").write("not sealed")
            let found = host.manager.checkup().filter { $0.severity != .fine }
            #expect(found.map(\.severity) == [.notice] && found.map(\.remedy) == ["hostapp gc"])
            #expect(
                try await host.manager.collectGarbage().removed.map(\.string) == [host.sandbox.folder(of: old).string])
            #expect(try host.folders() == ["1.1.0"])
            #expect(try host.registry.history().last?.event == .pruned)
            #expect(host.manager.checkup().allSatisfy { $0.severity == .fine })
        }
    }

    @Test("is no obstacle to going back above it, whether or not that version has run")
    func rollBackAbove() async throws {
        try await withHost { host in
            try host.offer(SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"))
            try await host.manager.install(TestHost.shop, version: host.version("1.0.0"))
            try await host.manager.update(TestHost.shop)
            try await host.manager.rollBack(TestHost.shop)
            #expect(try host.versions() == ["1.0.0", "1.1.0"])
        }
    }

    @Test("is raised by a bundle without code as soon as it is active")
    func assets() async throws {
        try await withHost { host in
            try host.offer(SamplePackage(version: "2.0.0", kind: "assets", library: nil))
            try await host.manager.install(TestHost.shop)
            #expect(try host.registry.floor(of: TestHost.shop)?.description == "2.0.0")
        }
    }
}
