import PluginCore
import SQLite
import Testing

@testable import Registry
@testable import HostSystem
@testable import PluginRuntime

@Suite("Cache of the active version", .tags(.medium))
struct ActiveCacheTests {
    private let host: TestHost

    init() throws { host = try TestHost() }

    @Test("The cache sees every change by another process, however soon it comes and whatever the file times say")
    func others() async throws {
        let bundle = try await host.install(SamplePackage())
        let other = try host.another().registry
        for number in 100..<400 {
            try other.versions.save([VersionStamp(bundle: bundle, part: .library, text: "\(number)")])
            #expect(try host.registry.active.version(of: TestHost.shop)?.seal.libraryStamp == "\(number)")
        }
    }

    @Test("The cache sees every change by its own process")
    func own() async throws {
        let bundle = try await host.install(SamplePackage())
        for number in 100..<200 {
            try host.registry.versions.save([VersionStamp(bundle: bundle, part: .library, text: "\(number)")])
            #expect(try host.registry.active.version(of: TestHost.shop)?.seal.libraryStamp == "\(number)")
        }
    }

    @Test("An unchanged registry isn't queried again")
    func untouched() async throws {
        try await host.install(SamplePackage())
        while try FileStamp(ofFile: host.sandbox.registry)?.isStable != true { await Task.yield() }
        let expected = try host.registry.active.version(of: TestHost.shop)
        let database = try host.database()
        // A query would fail as busy.
        try database.execute("BEGIN EXCLUSIVE")
        #expect(try host.registry.active.version(of: TestHost.shop) == expected)
        try database.execute("ROLLBACK")
    }
}
