import SQLite
import Glibc
import Doctor
import PluginCore
import Synchronization
import Testing

@testable import Registry
@testable import HostSystem
@testable import PluginRuntime

@Suite("Location of the sandbox", .tags(.medium))
struct SandboxPlaceTests {
    private let temporary = TemporaryFolder()
    private var folder: FilePath { temporary.path }

    private let host: TestHost

    init() throws { host = try TestHost() }

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

    @Test("Installing code on a file system mounted noexec fails with the mount point")
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
    }

    @Test("If the sandbox is later mounted noexec, the diagnosis names the mount, not the plugin, as the cause")
    func remounted() async throws {
        try await host.install(SamplePackage())
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

    @Test("A sandbox works at the longest path that SQLite can open, and can be rebuilt there")
    func longestPath() async throws {
        let host = try Self.host(in: folder, bytes: Sandbox.rootLimit)
        try await host.install(.shop)
        #expect(try await RegistryRebuild(of: host).run().active.count == 1)
        #expect(Checkup(of: host).findings().first { $0.check == .sandbox }?.severity == .fine)
    }

    @Test("A sandbox with a longer path is rejected with the limit before anything is created")
    func longPath() async throws {
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

    private static func host(in folder: FilePath, bytes: Int) throws -> BundleManager {
        let host = try TestHost(folder)
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
        let next = try host.another()
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
}
