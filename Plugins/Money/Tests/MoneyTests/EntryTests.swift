import PluginCore
import Testing

@testable import Money

@Suite("The entry of the money library", .tags(.small))
struct EntryTests {
    @Test("The entry function describes the library's Core ABI and compiler")
    func entry() throws {
        let identity = BundleIdentity(
            identifier: "com.example.lib.money", version: SemanticVersion(major: 1, minor: 0, patch: 0))
        let entry = try EntryDescription(reading: pluginEntry(), of: identity)
        #expect(entry.coreVersion == CoreVersion.release && entry.compiler == CoreVersion.compiler)
    }
}
