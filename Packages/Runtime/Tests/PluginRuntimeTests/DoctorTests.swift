import PluginCore
@testable import PluginRuntime
import SQLite
import Testing

@Suite("The doctor")
struct DoctorTests {
    private func findings(_ host: TestHost) -> [CheckupFinding] {
        host.manager.checkup().filter { $0.severity != .fine }
    }

    @Test("makes every check, and finds nothing where nothing is wrong")
    func sound() async throws {
        try await withHost { host in
            try host.offer(SamplePackage())
            try await host.manager.install(TestHost.shop)
            let before = try host.tree
            let findings = host.manager.checkup()
            #expect(findings.map(\.check) == CheckupFinding.Check.allCases)
            #expect(findings.allSatisfy { $0.severity == .fine && $0.remedy == nil })
            #expect(try host.tree == before)
        }
    }

    @Test("says of each harm what it is, and what to do")
    func harms() async throws {
        try await withHost { host in
            try host.offer(SamplePackage(), SamplePackage(identifier: "com.example.app.other"))
            let bundle = try await host.manager.install(TestHost.shop).bundle
            try await host.manager.install("com.example.app.other")
            let layout = host.sandbox.folder(of: bundle).appending("Resources/Pages/main.json")
            try layout.remove()
            try layout.write("{ }")
            try host.sandbox.plugins.appending("com.example.app.shop/9.9.9-abcdef/file").write("left")
            try host.catalog.appending("com.example.app.bad-1.0.0.zip").write("no zip")
            let found = findings(host)
            #expect(found.map(\.check) == [.versions, .remains, .catalog])
            #expect(found[0].subject == "com.example.app.shop@1.0.0")
            #expect(found[0].what.hasPrefix("Resources/Pages/main.json: "))
            #expect(found[0].remedy?.contains("hostapp uninstall com.example.app.shop") == true)
            #expect(found[1].remedy == "hostapp gc")
            _ = try await host.manager.collectGarbage()
            #expect(findings(host).map(\.check) == [.versions, .catalog])
        }
    }

    @Test("goes on with the other checks when the registry can not be read")
    func damaged() async throws {
        try await withHost { host in
            try host.offer(SamplePackage())
            try await host.manager.install(TestHost.shop)
            try host.sandbox.registry.write("this is no database, and long enough to be taken for one's beginning")
            let found = findings(host)
            #expect(found.contains { $0.check == .registry && $0.remedy == "hostapp doctor --rebuild" })
            #expect(host.manager.checkup().contains { $0.check == .catalog && $0.severity == .fine })
        }
    }

    @Test("makes a registry anew from what lies sound on the disk, and keeps the floor", arguments: [false, true])
    func rebuild(isReadable: Bool) async throws {
        try await withHost { host in
            try host.offer(
                SamplePackage(version: "1.0.0", routes: ["shop"]), SamplePackage(version: "1.1.0", routes: ["shop"]),
                SamplePackage(identifier: "com.example.app.other", kind: "assets", library: nil))
            let old = try await host.manager.install(TestHost.shop, version: host.version("1.0.0")).bundle
            try host.registry.prove(old)
            try host.registry.prove(try await host.manager.update(TestHost.shop).bundle)
            try await host.manager.install("com.example.app.other")
            try await host.manager.rollBack(TestHost.shop)
            let harmed = host.sandbox.folder(of: try await host.manager.install("com.example.app.other").bundle)
            try harmed.appending("extra").write("not sealed")
            if !isReadable { try host.sandbox.registry.write(String(repeating: "damaged ", count: 2_000)) }
            let other = try host.another()
            let report = try await other.manager.rebuildRegistry()
            // Which one was active only the old file can tell; without it the highest is.
            let expected = isReadable ? ["1.0.0", "1.1.0"] : ["1.1.0", "1.0.0"]
            #expect(try other.versions() == expected)
            #expect(report.active.map(\.identity.identifier) == [TestHost.shop])
            #expect(report.leftOut.map(\.path.string) == [harmed.string])
            #expect(report.oldRegistry?.exists == true)
            #expect(try other.registry.floor(of: TestHost.shop)?.description == "1.1.0")
            // And what has run, so that one may still go back to it.
            #expect(try other.registry.active(TestHost.shop)?.hasRun == isReadable)
            #expect(try other.registry.patterns() == ["shop"])
            #expect(try other.registry.damage() == [])
        }
    }

    @Test("puts nothing into a registry that was put away, or that no trusted team signed")
    func barred() async throws {
        try await withHost { host in
            try host.offer(SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"))
            let old = try await host.manager.install(TestHost.shop, version: host.version("1.0.0")).bundle
            let new = try await host.manager.update(TestHost.shop).bundle
            try host.registry.commit([
                .quarantine(new, reason: "crashed the host", then: (old, try host.registry.manifest(of: old)))
            ])
            _ = try await host.manager.rebuildRegistry()
            #expect(try host.versions() == ["1.0.0", nil])
            #expect(try host.registry.quarantine().map(\.identity.version.description) == ["1.1.0"])
            try host.root.appending("trust.json").write(#"{"formatVersion": 1, "teams": []}"#)
            let report = try await host.another().manager.rebuildRegistry()
            #expect(report.active == [])
        }
    }
}
