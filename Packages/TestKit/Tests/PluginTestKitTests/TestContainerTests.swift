import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

@Suite("A throwaway container")
struct TestContainerTests {
    @Test("has the folders of a real one, and goes with its last user")
    func lifetime() throws {
        var container: TestContainer? = try TestContainer()
        let folders = try #require(container?.container)
        for folder in [folders.documents, folders.caches, folders.temporary] {
            #expect(FileManager.default.fileExists(atPath: folder.string))
        }
        container = nil
        #expect(!FileManager.default.fileExists(atPath: folders.root.string))
    }
}
