import PluginCore
import Testing

@testable import Money

@Suite("The library")
struct EntryTests {
    @Test("tells a host what it was built with")
    func entry() throws {
        let identity = BundleIdentity(
            identifier: "com.example.lib.money", version: SemanticVersion(major: 1, minor: 0, patch: 0))
        let entry = try EntryDescription(reading: pluginEntry(), of: identity)
        #expect(entry.coreVersion == CoreVersion.release && entry.compiler == CoreVersion.compiler)
    }
}
