import Console
import HostSystem
import PluginCore
import Testing

@testable import AppHost

@MainActor
@Suite("Commands in a sandbox without its registry", .tags(.medium))
struct LostRegistryTests {
    private let fixture: AssetsFixture

    init() throws { fixture = try AssetsFixture() }

    private nonisolated static let commands = [
        ["verify"], ["list"], ["outdated", "--check"], ["update"], ["history"], ["routes"], ["catalog"], ["gc"],
    ]

    @Test(
        "A command reports a lost registry instead of an empty sandbox",
        arguments: commands + [["why", "com.example.notes"], ["history", "com.example.notes"]])
    func lost(words: [String]) async throws {
        try await fixture.installed("com.example.notes")
        try fixture.folder.remove("sandbox/Containers/Bundle/registry.sqlite")
        let error = await #expect(throws: AtriumError.self) { try await fixture.call(words).answer() }
        #expect(error?.code == .registryDamaged && error?.reason?.name == "registryMissing")
    }

    @Test("A command in a new sandbox without a registry reports that nothing is installed", arguments: commands)
    func empty(words: [String]) async throws {
        try fixture.offer("com.example.notes")
        #expect(try await fixture.call(words).answer().status == .done)
    }
}
