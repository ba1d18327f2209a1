import PluginCore
@testable import PluginRuntime
import Testing

@Suite("An installed version that is not as it was sealed")
struct RepairTests {
    /// How it comes not to be.
    enum Harm: CaseIterable { case changed, gone, more, unsealed }

    private static func harm(_ folder: FilePath, _ harm: Harm) throws {
        let layout = folder.appending("Resources/Pages/main.json")
        switch harm {
        case .changed:
            try layout.remove()
            try layout.write("{ }")
        case .gone: try folder.remove()
        case .more: try folder.appending("more").write("")
        case .unsealed: try folder.appending("signature").remove()
        }
    }

    @Test("is put in its place anew by an install, from a package with the same seal", arguments: Harm.allCases)
    func repaired(harm: Harm) async throws {
        try await withHost { host in
            try host.offer(SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"))
            try await host.manager.install(TestHost.shop, version: host.version("1.0.0"))
            let bundle = try await host.manager.update(TestHost.shop).bundle
            let folder = host.sandbox.folder(of: bundle)
            let (whole, history) = (try Tree(folder), try host.registry.history())
            try Self.harm(folder, harm)
            let report = try await host.manager.install(TestHost.shop)
            #expect(report.isRepaired && report.isChange)
            #expect(try Tree(folder) == whole)
            #expect(try host.sandbox.staging.names == [])
            #expect(try host.versions() == ["1.1.0", "1.0.0"])
            #expect(try host.registry.history() == history)
            #expect(try await !host.manager.install(TestHost.shop).isChange)
        }
    }

    @Test("stays when no package has its seal, and when another copy would mend nothing")
    func unrepaired() async throws {
        try await withHost { host in
            let package = try #require(try host.offer(SamplePackage()).first)
            let bundle = try await host.manager.install(TestHost.shop).bundle
            try Self.harm(host.sandbox.folder(of: bundle), .changed)
            try host.offer(SamplePackage(files: ["Resources/other": "another"]))
            try await host.refusal(.versionReused) { try await host.manager.install(TestHost.shop) }
            try package.remove()
            await #expect(throws: AtriumError.self) { try await host.manager.install(TestHost.shop) }
            #expect(try host.manager.damaged(among: [.install(TestHost.shop)]) == [bundle])
            try host.root.appending("trust.json").write(#"{"formatVersion": 1, "teams": []}"#)
            #expect(try host.another().manager.damaged(among: [.install(TestHost.shop)]) == [])
        }
    }
}
