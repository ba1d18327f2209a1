import PluginCore
import PluginTestKit
import Testing

@Suite("The entry of the money library", .tags(.medium))
struct EntryTests {
    @Test("The entry function describes the library's Core ABI and compiler")
    func entry() throws {
        let entry = try PluginFolder().entry()
        #expect(entry.coreVersion == CoreVersion.release && entry.compiler == CoreVersion.compiler)
    }
}
