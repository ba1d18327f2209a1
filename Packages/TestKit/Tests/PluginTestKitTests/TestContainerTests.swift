import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

@Suite("Temporary containers")
struct TestContainerTests {
    @Test("A container has the folders of a real one, and is removed with its last reference")
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
