import FoundationEssentials
import PluginCore
import Resolver
import Testing

@testable import PluginRuntime
@testable import Registry

@Suite("Folders of earlier releases", .tags(.medium))
struct EarlierFolderTests {
    /// Gives the folders of a sandbox the names that an earlier release has used.
    private static func age(_ sandbox: Sandbox) throws {
        let bundle = sandbox.registry.parent
        try FileManager.default.moveItem(
            atPath: sandbox.minimumVersions.string, toPath: bundle.appending("Floors").string)
        try FileManager.default.moveItem(
            atPath: sandbox.crashLogs.string, toPath: bundle.appending("Probation").string)
    }

    /// Runs a body with the second version of a bundle, both of which have run, in the sandbox of an earlier release.
    private func withEarlierSandbox(_ body: (TestHost) async throws -> Void) async throws {
        try await withHost { host in
            for version in ["1.0.0", "1.1.0"] {
                try host.offer(SamplePackage(version: version))
                try host.registry.recordSuccessfulRun(try await host.manager.install(TestHost.shop).bundle)
            }
            try Self.age(host.sandbox)
            try await body(host)
            #expect(try host.sandbox.registry.parent.names.allSatisfy { !["Floors", "Probation"].contains($0) })
        }
    }

    @Test("A crash that an earlier release has recorded is handled by the first start of this one")
    func crash() async throws {
        try await withHost { host in
            try host.offer(SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"))
            try await host.manager.install(TestHost.shop, version: host.version("1.0.0"))
            let bundle = try await host.manager.update(TestHost.shop).bundle
            try host.sandbox.crashLogs.appending("1-a-load").write(
                "probation 1\n\(TestHost.shop)\n1.1.0\n\(bundle.digest)\nload\n1700000000\nhang\n")
            try host.sandbox.minimumVersions.makeFolder()
            try Self.age(host.sandbox)
            try await host.another().manager.prepareForLaunch()
            #expect(try host.versions() == ["1.0.0", nil])
            #expect(try host.sandbox.registry.parent.names.contains("Probation") == false)
        }
    }

    @Test("The minimum versions of an earlier release outlive the registry")
    func minimumVersions() async throws {
        try await withEarlierSandbox { host in
            try await host.manager.uninstall(TestHost.shop)
            try Self.age(host.sandbox)
            host.registry.disconnect()
            try host.sandbox.registry.remove()
            let other = try host.another()
            try other.offer(SamplePackage(identifier: "com.example.app.other"))
            try await other.manager.install("com.example.app.other")
            #expect(try other.registry.minimumVersions.all()[TestHost.shop]?.description == "1.1.0")
            try await other.refusal(.downgrade) {
                try await other.manager.install(TestHost.shop, version: other.version("1.0.0"))
            }
        }
    }

    @Test("The higher minimum versions are kept if an earlier release has run once more")
    func both() async throws {
        try await withEarlierSandbox { host in
            let files = MinimumVersionFiles(host.sandbox)
            try files.raise(BundleIdentity(identifier: TestHost.shop, version: host.version("1.0.0")))
            try files.raise(BundleIdentity(identifier: "com.example.app.new", version: host.version("3.0.0")))
            try await host.another().manager.prepareForLaunch()
            #expect(
                try files.read().mapValues(\.description) == [TestHost.shop: "1.1.0", "com.example.app.new": "3.0.0"])
        }
    }

    @Test("A start moves the folders even if nothing else is to be done, and only once")
    func start() async throws {
        try await withEarlierSandbox { host in
            try await host.another().manager.prepareForLaunch()
            let before = try host.tree
            #expect(try MinimumVersionFiles(host.sandbox).read()[TestHost.shop]?.description == "1.1.0")
            try await host.another().manager.prepareForLaunch()
            #expect(try host.tree == before)
        }
    }
}
