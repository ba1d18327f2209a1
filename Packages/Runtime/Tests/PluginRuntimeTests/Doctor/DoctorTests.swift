import BundleFormat
import FoundationEssentials
import Glibc
import PluginCore
import RemoteCatalog
import SQLite
import TUFMetadata
import Testing
@testable import Doctor
@testable import HostSystem
@testable import PluginRuntime
@testable import Preflight
@testable import Registry

@Suite("Health checks of a sandbox and its catalogs", .tags(.medium))
struct DoctorTests {
    private let host = TestHost()
    @TemporaryFolder private var folder

    private var problems: [CheckupFinding] { host.findings().filter { $0.severity != .fine } }

    @Test("The checkup of an intact sandbox makes every check, finds nothing and changes nothing")
    func sound() async throws {
        try await host.install(SamplePackage())
        let before = try host.tree
        let findings = host.findings()
        #expect(findings.map(\.check) == CheckupFinding.Check.allCases.filter { $0 != .confinement })
        #expect(findings.allSatisfy { $0.severity == .fine && $0.remedy == nil })
        #expect(try host.tree == before)
    }

    @Test("An active version that a load would refuse is found, by the same check and with what to do")
    func unloadable() async throws {
        let bundle = try await host.install(SamplePackage())
        #expect(try host.manager.unloadable().isEmpty)
        // As if another compiler had built this host.
        let path = host.sandbox.folder(of: bundle).appending("lib/\(Platform.triple)/libSample.so")
        var library = try path.bytes
        let owner = try #require(library.firstRange(of: Array("Atrium\0\0".utf8))).upperBound
        library[owner + 24] ^= 0x40
        try path.remove()
        try path.write(library)
        try host.database().execute(
            "UPDATE bundle SET json = json_set(json, '$.seal.libraryDigest', ?)", try ContentDigest.of(library))
        let refusal = try await host.refusal(.libraryIncompatible) { try await host.manager.principal(of: .shop) }
        let found = try host.manager.unloadable()
        #expect(found.map(\.bundle.identity) == [bundle.identity])
        #expect(found.map(\.reason.problems) == [refusal.problems])
    }

    @Test("Doctor says which active versions this host, or another one, cannot load, and what to do about it")
    func otherHost() async throws {
        try host.offer(SamplePackage(), SamplePackage(version: "1.1.0"))
        try await host.manager.install(.shop, version: try host.version("1.0.0"))
        let own = HostDescription(ofThisHost: "host 1", offering: [])
        let checkup = Checkup(of: host.manager)
        #expect(try checkup.findings(for: own.host, by: LibraryPreflight(for: own)).map(\.severity) == [.fine])
        let needed = try #require(own.libraries.first { $0.hasPrefix("libc.so") })
        let others = [
            ("libraryABIDiffers", HostDescription(own, coreABI: own.coreABI + 1)),
            ("libraryCompilerDiffers", HostDescription(own, compiler: "another")),
            ("libraryNotProvided", HostDescription(own, libraries: own.libraries.filter { $0 != needed })),
            ("architectureOfOther", HostDescription(own, platform: "aarch64-unknown-linux-gnu")),
        ]
        for (reason, other) in others {
            let found = try checkup.findings(for: other.host, by: LibraryPreflight(for: other))
            #expect(found.map(\.severity) == [.wrong] && found.map(\.subject) == ["com.example.app.shop@1.0.0"])
            #expect(
                found.allSatisfy { "\($0.what)".contains(reason) && $0.remedy?.name == "buildForThatHost" },
                "\(found)")
        }
        try host.database().execute(
            "UPDATE bundle SET manifest = CAST(replace(CAST(manifest AS TEXT), '\"coreABI\": 3', '\"coreABI\": 1') AS BLOB)"
        )
        let found = problems.filter { $0.check == .versions }
        #expect(found.map(\.severity) == [.wrong] && found.map(\.what.name) == ["hostCannotLoad"], "\(found)")
        // The catalog has another version for this host.
        #expect(found.map(\.remedy?.name) == ["runUpdate"])
    }

    @Test("A bundle that is active in a version that the app's composition does not allow is a notice")
    func composition() async throws {
        try await host.install(SamplePackage(version: "1.0.0"))
        func findings(_ identifier: String, _ range: String?) throws -> [CheckupFinding] {
            let range = try range.map { try #require(VersionRange($0)) }
            return Checkup(of: host.manager).findings {
                [ComposedBundle(identifier, versions: range)]
            }.filter { $0.check == .composition && $0.severity != .fine }
        }
        #expect(try findings(TestHost.shop.text, nil) == [])
        #expect(try findings(TestHost.shop.text, "^1.0.0") == [])
        let outside = try findings(TestHost.shop.text, "^1.1.0")
        #expect(outside.map(\.severity) == [.notice])
        #expect(outside.first?.what.name == "activeOutsideRange" && outside.first?.remedy?.name == "runAppInstall")
        #expect(try findings("com.example.app.none", "^1.1.0").map(\.severity) == [.wrong])
    }

    @Test(
        "The checkup of an unusable sandbox explains the cause and suggests a remedy",
        arguments: ["file", "file/below", "circle", "nowhere"])
    func unusable(name: String) async throws {
        try await withFolder { folder in
            try folder.appending("file").write("no folder")
            let manager = FileManager.default
            for (link, goal) in [("circle", "circle"), ("nowhere", "none")] {
                try manager.createSymbolicLink(
                    atPath: folder.appending(link).string, withDestinationPath: folder.appending(goal).string)
            }
            let place = Sandbox(root: folder.appending(name))
            let host = TestHost.manager(of: place, catalog: DirectoryCatalog(folder: folder), trust: nil)
            let findings = Checkup(of: host).findings()
            let sandbox = findings.filter { $0.check == .sandbox }
            #expect(sandbox.map(\.severity) == [.wrong])
            #expect(sandbox.map(\.subject) == [folder.appending(name).string])
            #expect(findings.filter { $0.severity == .wrong }.allSatisfy { $0.remedy != nil }, "\(findings)")
            // A dangling link has no folder below it, and so no lock.
            if name != "nowhere" { #expect(findings.contains { $0.check == .lock && $0.severity == .wrong }) }
        }
    }

    @Test("What is in the way of a folder has a remedy, and nothing is in the way of one that is missing")
    func obstacles() throws {
        let root = host.sandbox.root
        try root.appending("file").write("no folder")
        let remedies = ["gone": nil, "file": "moveItAway", "file/below": "moveItAway"] as [String: String?]
        for (name, remedy) in remedies {
            #expect(FileSystem.obstacle(in: root.appending(name))?.remedy.name == remedy)
        }
    }

    @Test("The checkup reports each kind of damage with its remedy")
    func harms() async throws {
        try host.offer(SamplePackage(), SamplePackage(identifier: "com.example.app.other"))
        let bundle = try await host.manager.install(.shop).bundle
        try await host.manager.install("com.example.app.other")
        let layout = host.sandbox.folder(of: bundle).appending("Resources/Pages/main.json")
        try layout.remove()
        try layout.write("{ }")
        try host.sandbox.plugins.appending("com.example.app.shop/9.9.9-abcdef/file").write("left")
        try host.catalog.appending("com.example.app.bad-1.0.0.zip").write("no zip")
        let found = problems
        #expect(found.map(\.check) == [.versions, .leftovers, .catalog])
        #expect(found[0].subject == "com.example.app.shop@1.0.0")
        #expect(found[0].what.values["place"] == "Resources/Pages/main.json")
        #expect(found[0].remedy == ErrorReason("installAgain", ["bundle": "com.example.app.shop@1.0.0"]))
        #expect(found[1].remedy == ErrorReason("collectGarbage"))
        try await host.collectGarbage()
        #expect(problems.map(\.check) == [.versions, .catalog])
    }

    @Test("The remedy for an unmet requirement depends on what the catalog offers")
    func requirements() async throws {
        let lib: BundleIdentifier = "com.example.lib"
        try host.offer(
            SamplePackage(requires: [lib: "^1.0.0"]), SamplePackage(identifier: lib),
            SamplePackage(identifier: lib, version: "2.0.0"))
        try await host.manager.install(.shop)
        let remedies = { problems.filter { $0.check == .requirements }.map(\.remedy) }
        #expect(remedies() == [])
        try host.database().execute(
            "UPDATE bundle SET json = replace(json, '^1.0.0', '^2.0.0')")
        #expect(remedies() == [ErrorReason("runWhy", ["bundle": .text(TestHost.shop)])])
        try host.offer(SamplePackage(version: "1.1.0", requires: [lib: "^1.0.0"]))
        #expect(remedies() == [ErrorReason("runUpdate", ["bundle": .text(TestHost.shop)])])
    }

    @Test("The checkup reports a version that the next start will quarantine, and changes nothing")
    func reports() async throws {
        try await host.install(SamplePackage())
        try host.recordCrash(.shop, noting: "hang\n")
        try host.sandbox.crashLogs.appending("2-a-load").write("no marker")
        let before = try host.tree
        let found = problems
        #expect(found.map(\.check) == [.quarantine])
        #expect(found.first?.what.description.contains("hungHost") == true)
        #expect(try host.tree == before)
    }

    @Test("The other checks continue if the registry is unreadable")
    func damaged() async throws {
        try await host.install(SamplePackage())
        try host.sandbox.registry.write("this is no database, and long enough to be taken for one's beginning")
        let found = problems
        #expect(found.contains { $0.check == .registry && $0.remedy == ErrorReason("rebuildRegistry") })
        #expect(host.findings().contains { $0.check == .catalog && $0.severity == .fine })
    }

    @Test("Rebuilding the registry uses intact versions and preserves the minimum version", arguments: [false, true])
    func rebuild(isReadable: Bool) async throws {
        try host.offer(
            SamplePackage(version: "1.0.0", routes: ["shop"]), SamplePackage(version: "1.1.0", routes: ["shop"]),
            SamplePackage(identifier: "com.example.app.other", kind: "assets", library: nil))
        let old = try await host.install(version: "1.0.0").bundle
        try host.registry.recordSuccessfulRun(old)
        try host.registry.recordSuccessfulRun(try await host.manager.update(.shop).bundle)
        try await host.manager.install("com.example.app.other")
        try await host.manager.rollBack(.shop)
        let harmed = host.sandbox.folder(of: try await host.manager.install("com.example.app.other").bundle)
        try harmed.appending("extra").write("not sealed")
        if !isReadable { try host.sandbox.registry.write(String(repeating: "damaged ", count: 2_000)) }
        let other = host.another()
        let report = try await RegistryRebuild(of: other.manager).run()
        // Only the old registry knows the active version; without it the highest version becomes active.
        let expected = isReadable ? ["1.0.0", "1.1.0"] : ["1.1.0", nil]
        #expect(try other.versions() == expected)
        #expect(report.active.map(\.identity.identifier) == [TestHost.shop])
        #expect(report.leftOut.map(\.path.string) == [harmed.string])
        #expect(report.oldRegistry?.exists == true)
        #expect(try other.registry.notes.minimumVersion(of: .shop)?.description == "1.1.0")
        // The successful run is preserved too, so that a rollback to the version stays possible.
        #expect(try other.registry.active.version(of: .shop)?.hasRun == isReadable)
        #expect(try other.registry.routes.patterns() == ["shop"])
        #expect(try other.registry.damage() == [])
    }

    @Test("A rebuild retains an active version even if its rollback target conflicts with another bundle")
    func rivalry() async throws {
        try host.offer(
            SamplePackage(version: "1.0.0", routes: ["a"]), SamplePackage(version: "1.1.0", routes: ["b"]),
            SamplePackage(identifier: "com.example.app.first", routes: ["a"]))
        try await host.install(version: "1.0.0")
        try await host.manager.update(.shop)
        try await host.manager.install("com.example.app.first")
        #expect(try await host.rebuild().leftOut == [])
        #expect(try host.versions() == ["1.1.0", "1.0.0"])
        #expect(try host.registry.routes.patterns().sorted() == ["a", "b"])
        try await host.refusal(.routeConflict) { try await host.manager.rollBack(.shop) }
    }

    @Test("A rebuild ignores the old registry's journal and reports the old registry until it is collected")
    func oldJournal() async throws {
        try await host.install(SamplePackage(routes: ["shop"]))
        host.registry.disconnect()
        try host.sandbox.registry.write("this is no database, and long enough to be taken for one's beginning")
        let journal = FilePath(host.sandbox.registry.string + "-journal")
        try journal.write("a journal")
        for _ in 1...2 {
            let report = try await host.rebuild()
            let old = try #require(report.oldRegistry)
            #expect(old.exists)
            #expect(!journal.exists)
            #expect(try host.versions() == ["1.0.0", nil])
            #expect(problems.filter { $0.subject == old.string }.map(\.remedy) == [ErrorReason("collectGarbage")])
        }
        // Without a registry file nothing has read its journal.
        host.registry.disconnect()
        try host.sandbox.registry.remove()
        try journal.write("a journal")
        #expect(try await host.rebuild().oldRegistry == nil)
        #expect(!journal.exists)
        let kept = try #require(host.sandbox.oldRegistries().first { $0.string.hasSuffix("-journal") })
        #expect(try kept.text == "a journal")
        try await host.collectGarbage()
        #expect(problems == [])
        #expect(try host.sandbox.registry.parent.names.filter { $0.hasPrefix("registry") } == ["registry.sqlite"])
    }

    @Test("A registry of a newer host isn't rebuilt and stays unchanged")
    func refused() async throws {
        try await host.install(SamplePackage())
        try host.sandbox.newRegistry.appending("in/the/way").write("")
        _ = try await host.rebuild()
        try host.database().execute("PRAGMA user_version = 99")
        host.registry.disconnect()
        let names = try host.sandbox.registry.parent.names
        try await host.refusal(.registryNewer) { try await host.rebuild() }
        #expect(try host.sandbox.registry.parent.names == names)
    }

    @Test("A rebuild leaves out quarantined versions and versions without a trusted signature")
    func blocked() async throws {
        let old = try await host.install(first: "1.0.0", offering: "1.1.0")
        let new = try await host.manager.update(.shop).bundle
        try host.registry.commit([.quarantine(new, reason: .verbatim("it crashed"), then: old)])
        _ = try await host.rebuild()
        #expect(try host.versions() == ["1.0.0", nil])
        #expect(try host.registry.quarantine.all().map(\.identity.version.description) == ["1.1.0"])
        try host.root.appending("trust.json").write(#"{"formatVersion": 1, "teams": []}"#)
        #expect(try await RegistryRebuild(of: host.another().manager).run().active == [])
    }

    /// Returns the findings about the catalog of a host, after its state was fetched as the command does.
    private func catalogFindings(_ host: TestHost) async -> [CheckupFinding] {
        _ = try? await host.manager.search { try $0.catalog.requireReachable() }
        return host.findings().filter { $0.check == .catalog }
    }

    private func publish(_ lifetimes: RoleLifetimes = RoleLifetimes()) throws -> (PublishedCatalog, RemoteCatalog) {
        let published = try PublishedCatalog(at: folder.appending("published"), lifetimes: lifetimes)
        return (published, try published.catalog(in: folder.appending("sandbox/Containers/Catalogs")))
    }

    @Test("A role that expires soon is a notice with what to do, from the local metadata alone, and no other is")
    func soon() async throws {
        let valid = try PublishedCatalog(at: folder.appending("valid")).catalog(in: folder.appending("catalogs"))
        #expect(await catalogFindings(TestHost(folder.appending("host"), catalog: valid)).map(\.severity) == [.fine])
        #expect(Set(valid.expiries.map(\.role)) == ["root", "timestamp", "snapshot", "targets"])
        var lifetimes = RoleLifetimes()
        lifetimes.root = 29
        let (published, catalog) = try publish(lifetimes)
        try published.publish(SamplePackage())
        let host = TestHost(folder, catalog: catalog)
        let found = await catalogFindings(host)
        #expect(found.map(\.severity) == [.notice], "\(found)")
        #expect(found.first?.subject == catalog.address.description)
        #expect(found.first?.what.name == "roleExpires" && found.first?.remedy?.name == "askToRenew")
        try published.folder.remove()
        #expect(host.findings().contains { $0.what.name == "roleExpires" })
    }

    @Test("A catalog whose metadata has expired is wrong, once, with its role and what to do")
    func expired() async throws {
        var published = try PublishedCatalog(at: folder.appending("published"))
        try published.publish(SamplePackage())
        let catalogs = folder.appending("sandbox/Containers/Catalogs")
        try await published.catalog(in: catalogs).refresh()
        published.lifetimes.timestamp = 0
        try published.publish(SamplePackage(version: "1.1.0"))
        let saved = try RemoteCatalogSettings(address: published.address, catalogs: catalogs).folder
        try saved.appending("metadata/timestamp.json").write(
            published.folder.appending("metadata/timestamp.json").bytes)
        let found = await catalogFindings(TestHost(folder, catalog: try published.catalog(in: catalogs)))
        #expect(found.map(\.severity) == [.wrong], "\(found)")
        #expect(found.first?.what.name == "roleExpired" && found.first?.remedy?.name == "renewCatalog")
        #expect(found.first?.what.values["role"] == .text("timestamp"), "\(found)")
    }

    @Test("A server whose metadata has expired is wrong for a host that has none yet, with what to do")
    func expiredServer() async throws {
        var lifetimes = RoleLifetimes()
        lifetimes.timestamp = 0
        let found = await catalogFindings(TestHost(folder, catalog: try publish(lifetimes).1))
        #expect(found.map(\.severity) == [.wrong], "\(found)")
        #expect(found.first?.remedy?.name == "renewCatalog", "\(found)")
    }
}

extension HostDescription {
    fileprivate init(
        _ host: HostDescription, coreABI: UInt32? = nil, compiler: String? = nil, platform: String? = nil,
        libraries: [String]? = nil
    ) {
        self.init(
            host: "host 2", coreABI: coreABI ?? host.coreABI, compiler: compiler ?? host.compiler,
            platform: platform ?? host.platform, libraries: libraries ?? host.libraries)
    }
}
