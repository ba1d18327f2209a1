@testable import HostSystem
import Glibc
import Doctor
import PluginCore
@testable import Registry
@testable import PluginRuntime
import Testing

@Suite("Symbolic links inside the sandbox", .tags(.medium))
struct SandboxLinkTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    /// Replaces a folder of a host by a symbolic link, and returns the place to which the folder was moved.
    private func link(_ folder: (Sandbox) -> FilePath) async throws -> FilePath {
        try await host.install(SamplePackage())
        let (place, elsewhere) = (folder(host.sandbox), host.root.appending("elsewhere"))
        try place.makeFolder()
        try FileSystem.rename(place, to: elsewhere)
        try elsewhere.appending("diary").write("kept")
        try elsewhere.appending("inner/diary").write("kept")
        try #require(symlink(elsewhere.string, place.string) == 0)
        try host.offer(SamplePackage(version: "1.1.0"))
        return elsewhere
    }

    static let folders: [@Sendable (Sandbox) -> FilePath] = [
        { $0.staging }, { $0.crashLogs }, { $0.plugins }, { $0.containers }, { $0.groups }, { $0.registry.parent },
        { $0.root.appending("Containers") },
    ]

    @Test(
        "Changes fail with the path of a link in place of a sandbox folder, and don't touch its target",
        arguments: folders)
    func refused(folder: @Sendable (Sandbox) -> FilePath) async throws {
        let elsewhere = try await link(folder)
        let before = try Tree(elsewhere)
        let changes: [@Sendable (BundleManager) async throws -> Void] = [
            { _ = try await $0.update(.shop) },
            { _ = try await $0.transactions.maintenance.collectGarbage() },
            { try await $0.uninstall(.shop, deleteData: true) },
        ]
        for change in changes {
            let other = try host.another()
            let error = try await failingAsync(.sandboxUnwritable) { try await change(other.manager) }
            #expect(error.subject == folder(host.sandbox).string)
            #expect(error.reason == ErrorReason("symbolicLink"))
        }
        // Startup continues, and the checkup reports the link.
        try await host.restart()
        let finding = host.findings().first { $0.check == .sandbox }
        #expect(finding?.severity == .wrong && finding?.subject == folder(host.sandbox).string)
        #expect(!host.findings().contains { $0.check == .leftovers && $0.severity != .fine })
        #expect(try Tree(elsewhere) == before)
    }

    @Test("No crash sentinel is written through a link")
    func crashLogs() async throws {
        let elsewhere = try await link({ $0.crashLogs })
        let crashLogs = CrashLogStore(host.sandbox)
        let bundle = try host.bundle()
        let before = try Tree(elsewhere)
        #expect(crashLogs.begin(bundle.key, .load) == nil)
        #expect(try Tree(elsewhere) == before)
        #expect(crashLogs.reports() == [])
        #expect(try Tree(elsewhere) == before)
    }

    @Test("A link in place of a bundle's versions isn't removed as a leftover, nor is its target changed")
    func versions() async throws {
        let elsewhere = try await link({ $0.plugins.appending(TestHost.shop.text) })
        let before = try Tree(elsewhere)
        #expect(try await host.collectGarbage().removed.isEmpty)
        #expect(try host.sandbox.folder(of: host.bundle()).exists)
        let error = try await failingAsync(.sandboxUnwritable) { try await host.manager.update(.shop) }
        #expect(error.subject == host.sandbox.plugins.appending(TestHost.shop.text).string)
        #expect(host.findings().contains { $0.check == .sandbox && $0.subject == error.subject })
        #expect(try Tree(elsewhere) == before)
    }

    @Test("Garbage collection removes neither links nor pipes beside versions")
    func version() async throws {
        try await host.install(SamplePackage())
        let place = host.sandbox.plugins.appending(TestHost.shop.text)
        let names = ["link", "pipe"]
        for folder in [place, host.sandbox.plugins] {
            try #require(symlink("/etc", folder.appending("link").string) == 0)
            try #require(mkfifo(folder.appending("pipe").string, 0o644) == 0)
            try folder.appending("file").write("")
        }
        let remains = host.findings().filter { $0.check == .leftovers }.map(\.subject)
        #expect(Set(remains) == Set([place, host.sandbox.plugins].map { $0.appending("file").string }))
        try await host.collectGarbage()
        #expect(try FileSystem.names(in: place).suffix(2) == names)
        #expect(try FileSystem.names(in: host.sandbox.plugins) == [TestHost.shop.text] + names)
    }

    @Test("A link to the sandbox itself is followed")
    func root() async throws {
        try host.offer(SamplePackage())
        let elsewhere = host.root.appending("elsewhere")
        try elsewhere.makeFolder()
        try #require(symlink(elsewhere.string, host.sandbox.root.string) == 0)
        try await host.manager.install(.shop)
        try host.sandbox.staging.appending("rest/file").write("")
        let findings = host.findings()
        #expect(findings.first { $0.check == .sandbox }?.severity == .fine)
        #expect(
            findings.filter { $0.check == .leftovers }.map(\.subject) == [
                host.sandbox.staging.appending("rest").string
            ])
        try await host.collectGarbage()
        #expect(try host.sandbox.staging.names == [])
    }
}
