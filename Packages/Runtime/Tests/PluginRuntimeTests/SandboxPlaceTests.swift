import Doctor
import Glibc
import PluginCore
import SQLite
import Synchronization
import Testing
@testable import HostSystem
@testable import PluginRuntime
@testable import Registry

@Suite("Location and folders of the sandbox", .tags(.medium))
struct SandboxPlaceTests {
    @TemporaryFolder private var folder

    private let host = TestHost()

    /// Runs the body with a mount point that forbids running code.
    private static func withNoexec<R>(at mount: FilePath, _ body: () async throws -> R) async rethrows -> R {
        try await FileSystem.$forbidsExecution.withValue({ path in (path.string + "/").hasPrefix(mount.string + "/") })
        { try await body() }
    }

    private func mode(_ path: FilePath) -> mode_t {
        var status = stat()
        return lstat(path.string, &status) == 0 ? status.st_mode & 0o777 : 0
    }

    /// Returns the paths below a folder that other users may read, write or execute.
    private func open(_ folder: FilePath) throws -> [FilePath] {
        var found = mode(folder) & 0o077 == 0 ? [] : [folder]
        for name in (try? FileSystem.names(in: folder)) ?? [] { found += try open(folder.appending(name)) }
        return found
    }

    @Test(
        "Other users may read installed code, but nothing of the data, the app groups, the registry and the trust store"
    )
    func privacy() async throws {
        let sandbox = host.sandbox
        let before = umask(0o022)
        defer { umask(before) }
        try await host.install(SamplePackage())
        let data = [sandbox.containers.parent, sandbox.groups.parent]
        for folder in data {
            #expect(mode(folder) == 0o700)
            #expect(try open(folder) == [])
        }
        #expect(mode(sandbox.registry) == 0o600)
        for folder in [sandbox.root, sandbox.plugins.parent, sandbox.plugins] { #expect(mode(folder) == 0o755) }

        // As an earlier release has left it.
        for path in data { chmod(path.string, 0o755) }
        chmod(sandbox.registry.string, 0o644)
        try sandbox.trust.write("{}")
        chmod(sandbox.trust.string, 0o644)
        try await host.manager.prepareForLaunch()
        for path in data { #expect(mode(path) == 0o700) }
        for path in [sandbox.registry, sandbox.trust] { #expect(mode(path) == 0o600) }

        // A file that its owner has made unwritable is shared on purpose.
        chmod(sandbox.registry.string, 0o444)
        try await host.manager.prepareForLaunch()
        #expect(mode(sandbox.registry) == 0o444)
    }

    @Test("Code on a file system mounted noexec is not installed, and the diagnosis of installed code names the mount")
    func noexec() async throws {
        try host.offer(SamplePackage(), SamplePackage(identifier: "com.example.assets", kind: "assets", library: nil))
        try await Self.withNoexec(at: host.root) {
            let error = try await host.refusal(.sandboxUnusable) { try await host.manager.install(.shop) }
            #expect(error.reason == ErrorReason("noexec", ["mount": "\(host.root)"]))
            // A bundle without code doesn't need the permission.
            try await host.manager.install("com.example.assets")
            let finding = host.findings().first { $0.check == .sandbox }
            #expect(finding?.severity == .wrong && finding?.remedy != nil)
            #expect(finding?.what == error.reason)
        }
        #expect(host.findings().first { $0.check == .sandbox }?.severity == .fine)
        try await host.manager.install(.shop)
        try await Self.withNoexec(at: host.root) {
            let code = try host.manager.diagnosis(of: .shop).findings.first { $0.topic == .code }
            #expect(code?.obstacle?.code == .sandboxUnusable, "\(String(describing: code))")
        }
    }

    /// Returns a path of the given length in bytes.
    private static func root(in folder: FilePath, bytes: Int) -> FilePath {
        var path = folder
        while bytes - path.string.utf8.count > 200 { path = path.appending(String(repeating: "d", count: 150)) }
        return path.appending(String(repeating: "e", count: bytes - path.string.utf8.count - 1))
    }

    @Test("A sandbox works at the longest path that SQLite can open, and is rejected with the limit at a longer one")
    func longPath() async throws {
        let usable = try Self.host(in: folder, bytes: Sandbox.rootLimit)
        try await usable.install(.shop)
        #expect(try await RegistryRebuild(of: usable).run().active.count == 1)
        #expect(Checkup(of: usable).findings().first { $0.check == .sandbox }?.severity == .fine)
        let host = try Self.host(in: folder, bytes: Sandbox.rootLimit + 1)
        let before = try Tree(folder)
        let error = try await failingAsync(.sandboxUnusable) { try await host.install(.shop) }
        let lengths = "length: \(Sandbox.rootLimit + 1), limit: \(Sandbox.rootLimit)"
        #expect(error.reason?.description == "pathTooLongForSQLite(\(lengths))")
        #expect(throws: AtriumError.self) { try host.registry.active.all() }
        #expect(try Tree(folder) == before)
        try host.sandbox.root.makeFolder()
        let finding = Checkup(of: host).findings().first { $0.check == .sandbox }
        #expect(finding?.severity == .wrong && finding?.what == error.reason, "\(String(describing: finding))")
    }

    private static func host(in folder: FilePath, bytes: Int) throws -> Host {
        let host = TestHost(folder)
        try host.offer(SamplePackage())
        let sandbox = Sandbox(root: root(in: folder, bytes: bytes))
        return TestHost.manager(
            of: sandbox, catalog: DirectoryCatalog(folder: host.catalog), trust: folder.appending("trust.json"))
    }

    @Test(
        "Nothing blocks on a pipe in place of one of SQLite's files, and a rebuild preserves the registry",
        arguments: ["-journal", "-wal", "-shm"])
    func pipe(ending: String) async throws {
        try await host.install(SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"))
        try await host.manager.rollBack(.shop)
        try #require(mkfifo(host.sandbox.registry.string + ending, 0o644) == 0)
        let next = host.another()
        let error = try failing(.registryDamaged) { try next.registry.active.all() }
        #expect(error.reason?.description.contains("registry.sqlite\(ending)") == true)
        let finding = Checkup(of: next.manager).findings().first { $0.check == .registry }
        #expect(finding?.remedy == ErrorReason("rebuildRegistry"))
        _ = try await RegistryRebuild(of: next.manager).run()
        #expect(try next.versions() == ["1.0.0", "1.1.0"])
        try await next.collectGarbage()
        #expect(try next.sandbox.registry.parent.names.allSatisfy { !$0.contains("damaged") })
    }

    @Test("The checkup waits only once for a registry that another process has locked, and announces the wait")
    func locked() async throws {
        try await host.install(SamplePackage())
        let database = try host.database()
        try database.execute("BEGIN EXCLUSIVE")
        let waits = Mutex(0)
        let clock = ContinuousClock()
        let start = clock.now
        let patience = Duration.seconds(3)
        let findings = Registry.$patience.withValue(patience) {
            Checkup(of: host.manager).findings(whenWaiting: { waits.withLock { $0 += 1 } })
        }
        // Otherwise each check that needs the registry would wait as long.
        #expect(clock.now - start < patience * 3)
        #expect(waits.withLock { $0 } == 1)
        let found = findings.filter { $0.check == .registry }
        #expect(found.map(\.severity) == [.wrong])
        #expect(found.first?.what.name == "databaseLocked", "\(found)")
        #expect(found.first?.remedy == ErrorReason("waitForProcess"))
        try database.execute("ROLLBACK")
        let unlocked = Checkup(of: host.manager).findings(whenWaiting: { waits.withLock { $0 += 1 } })
        #expect(unlocked.allSatisfy { $0.severity == .fine })
        #expect(waits.withLock { $0 } == 1)
    }

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

    @Test("Changes fail with the path of a link in place of a folder, and don't touch its target", arguments: folders)
    func refused(folder: @Sendable (Sandbox) -> FilePath) async throws {
        let elsewhere = try await link(folder)
        let before = try Tree(elsewhere)
        let changes: [@Sendable (Host) async throws -> Void] = [
            { _ = try await $0.update(.shop) },
            { _ = try await $0.transactions.maintenance.collectGarbage() },
            { try await $0.uninstall(.shop, deleteData: true) },
        ]
        for change in changes {
            let other = host.another()
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
