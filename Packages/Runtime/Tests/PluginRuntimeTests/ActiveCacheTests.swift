import PluginCore
import SQLite
import Testing

@testable import PluginRuntime

@Suite("An active version that was read")
struct ActiveCacheTests {
    @Test(
        "is what another host has just made of it, however soon after the last look, and whatever the clock of files says"
    )
    func others() async throws {
        try await withHost { host in
            try host.offer(SamplePackage())
            let bundle = try await host.manager.install(TestHost.shop).bundle
            let other = try host.another().registry
            for number in 100..<400 {
                try other.keep([VersionStamp(bundle: bundle, part: .library, text: "\(number)")])
                #expect(try host.registry.active(TestHost.shop)?.seal.libraryStamp == "\(number)")
            }
        }
    }

    @Test("is what this host has just made of it")
    func own() async throws {
        try await withHost { host in
            try host.offer(SamplePackage())
            let bundle = try await host.manager.install(TestHost.shop).bundle
            for number in 100..<200 {
                try host.registry.keep([VersionStamp(bundle: bundle, part: .library, text: "\(number)")])
                #expect(try host.registry.active(TestHost.shop)?.seal.libraryStamp == "\(number)")
            }
        }
    }

    @Test("is not asked of SQLite again while nobody touches the registry")
    func untouched() async throws {
        try await withHost { host in
            try host.offer(SamplePackage())
            try await host.manager.install(TestHost.shop)
            while try FileStamp(ofFile: host.sandbox.registry)?.isSettled != true { await Task.yield() }
            let expected = try host.registry.active(TestHost.shop)
            let database = try host.database()
            // Whoever has to ask SQLite is kept waiting by this, and then told that it is busy.
            try database.execute("BEGIN EXCLUSIVE")
            #expect(try host.registry.active(TestHost.shop) == expected)
            try database.execute("ROLLBACK")
        }
    }
}
