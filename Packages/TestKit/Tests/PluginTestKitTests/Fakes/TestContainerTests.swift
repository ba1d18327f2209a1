import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

extension TestContainer {
    /// Writes the manifest of a bundle without code, and returns its path.
    func manifest() throws -> String {
        let path = container.documents.appending("manifest.json").string
        let text = """
            {"formatVersion": 1, "identifier": "com.example.app.hello", "version": "1.2.0", "name": "Hello", "kind": "assets"}
            """
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }
}

@Suite("Temporary containers", .tags(.medium))
struct TestContainerTests {
    /// A plugin that provides nothing.
    private final class Silent: BundleDelegate {
        init(context: BundleContext) {}
    }

    @Test("Two contexts with one container have the same defaults, and damaged defaults are logged")
    @MainActor
    func defaults() throws {
        let container = try TestContainer()
        let manifest = try container.manifest()
        let before = try TestBundleContext(of: Silent.self, container: container, file: manifest)
        let after = try TestBundleContext(of: Silent.self, container: container, file: manifest)
        let count = DefaultsKey("count", default: 0)
        try before.context.defaults.set(7, for: count)
        #expect(try after.context.defaults[count] == 7)
        let file = container.container.root.appending("Library/defaults.json")
        try Data("{".utf8).write(to: URL(filePath: file.string))
        #expect(try after.context.defaults[count] == 0)
        #expect(after.log.messages(.error).count == 1 && before.log.messages(.error).isEmpty)
    }

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
