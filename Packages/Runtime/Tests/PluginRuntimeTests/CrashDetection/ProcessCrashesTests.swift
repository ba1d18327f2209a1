@testable import PluginRuntime
import Registry
import Testing

@Suite("Crashes in processes of extensions", .tags(.medium), .timeLimit(.minutes(1)))
struct ProcessCrashesTests {
    @Test("The crashes of a version count until they are forgotten, so that a quarantine that failed is tried again")
    func forget() async throws {
        try await withHost { host in
            try host.offer(SamplePackage(version: "1.0.0"))
            try await host.manager.install(TestHost.shop)
            let bundle = try #require(try host.registry.active.version(of: TestHost.shop))
            let crashes = ProcessCrashes(host.sandbox) { Issue.record($0) }
            let isOver = try (0..<4).map { try crashes.add(bundle, at: 1_000 + $0) }
            #expect(isOver == [false, false, true, true])
            try crashes.forget(bundle)
            #expect(try !crashes.add(bundle, at: 1_010))
        }
    }
}
