import FoundationEssentials
import PluginCore
import Testing

@testable import BundleTool

@Suite("Changes of the files below a folder", .tags(.medium))
struct FolderChangesTests {
    @Test(
        "Saved, moved and removed files are changes, also in folders that are new; hidden ones and those of editors are none"
    )
    func changes() throws {
        let temporary = try TestFolder()
        let folder = FilePath(temporary.path)
        try Files.makeFolder(folder.appending("Sources"))
        let changes = FolderChanges(below: folder)
        #expect(!changes.wait(atMost: .zero))
        for name in [".build", ".git"] { try Files.makeFolder(folder.appending(name)) }
        for name in [
            ".hidden", "Sources/a.swift~", ".build/a.o", "Sources/.#a.swift", "Sources/#a.swift#", "Sources/4913",
            "Sources/5036", "Sources/a.swift.swp", "Sources/a.swift___jb_tmp___",
        ] { try temporary.write("", to: name) }
        #expect(!changes.wait(atMost: .milliseconds(50)))
        try temporary.write("a", to: "Sources/a.swift")
        #expect(changes.wait(atMost: .seconds(5)) && !changes.wait(atMost: .zero))
        try Files.makeFolder(folder.appending("Sources/New"))
        _ = changes.wait(atMost: .milliseconds(50))
        try temporary.write("b", to: "Sources/New/b.swift")
        #expect(changes.wait(atMost: .seconds(5)))
        // Foundation replaces the file, as many editors do.
        try Files.replace(folder.appending("Sources/New/b.swift"), with: "c")
        #expect(changes.wait(atMost: .seconds(5)))
        Files.removeTree(folder.appending("Sources/a.swift"))
        #expect(changes.wait(atMost: .seconds(5)))
    }
}
