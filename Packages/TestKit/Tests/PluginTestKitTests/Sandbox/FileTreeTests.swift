import FoundationEssentials
import PluginCore
import PluginTestKit
import Testing

import Glibc

@Suite("File trees", .tags(.medium))
struct FileTreeTests {
    @Test("A tree contains all files, hidden or not, with kind and permissions, and that of a missing root nothing")
    func everything() throws {
        let folder = try ThrowawayFolder()
        #expect(try folder.tree().paths == ["."] && FileTree(of: folder.appending("none")).isEmpty)
        try folder.write("abc", to: "a/.hidden")
        try folder.write("", to: "a/ünï")
        try #require(symlink("../nowhere", folder.appending("link").string) == 0)
        try #require(mkfifo(folder.appending("pipe").string, 0o600) == 0)
        try #require(chmod(folder.appending("a/.hidden").string, 0o640) == 0)
        let tree = try folder.tree()
        #expect(tree.paths == [".", "a", "a/.hidden", "a/ünï", "link", "pipe"])
        #expect(tree.files == ["a/.hidden", "a/ünï"])
        let digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        #expect(tree.nodes["a/.hidden"] == .file(mode: 0o640, size: 3, digest: digest))
        #expect(tree.nodes["link"] == .link(to: "../nowhere"))
        #expect(tree.nodes["pipe"] == .special(mode: 0o600))
        #expect(tree.description.contains("a/.hidden  file 640, 3 bytes, ba7816bf8f01"))
    }

    @Test("The differences of two trees are reported")
    func changes() throws {
        let folder = try ThrowawayFolder()
        for name in ["same", "gone", "edited", "swapped", "locked", "d/x"] { try folder.write("1", to: name) }
        let before = try folder.tree()
        #expect(before.changes(to: try folder.tree()) == [])
        try folder.write("1", to: "new/file")
        try folder.write("2", to: "edited")
        for name in ["gone", "swapped", "d"] {
            try FileManager.default.removeItem(atPath: folder.appending(name).string)
        }
        try #require(symlink("same", folder.appending("swapped").string) == 0)
        try #require(chmod(folder.appending("locked").string, 0o400) == 0)
        let after = try folder.tree()
        #expect(before != after)
        let changes = before.changes(to: after)
        #expect(
            changes.map { String($0.prefix { $0 != ":" }) } == [
                "- d", "- d/x", "~ edited", "- gone", "~ locked", "+ new", "+ new/file", "~ swapped",
            ])
        #expect(changes.contains("~ edited: content"))
        #expect(changes.contains { $0.hasPrefix("~ swapped: file") && $0.hasSuffix("to link to same") })
    }
}

@Suite("Temporary sandboxes", .tags(.medium))
struct ThrowawaySandboxTests {
    @Test("A sandbox doesn't exist before a host creates it, and is removed with its last reference")
    func lifetime() throws {
        var sandbox: ThrowawaySandbox? = try ThrowawaySandbox()
        let root = try #require(sandbox?.root)
        #expect(try sandbox?.tree().isEmpty == true)
        let inner = root.appending("Containers/Bundle").string
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        try #require(chmod(inner, 0o500) == 0)
        #expect(try sandbox?.tree().paths == [".", "Containers", "Containers/Bundle"])
        sandbox = nil
        #expect(!FileManager.default.fileExists(atPath: root.parent.string))
    }

    @Test("A sandbox is removed when the closure returns or throws, even if it is still referenced")
    func closure() async throws {
        struct Stop: Error {}
        var kept: ThrowawaySandbox?
        await #expect(throws: Stop.self) {
            try await ThrowawaySandbox.with { sandbox in
                kept = sandbox
                try FileManager.default.createDirectory(atPath: sandbox.root.string, withIntermediateDirectories: false)
                throw Stop()
            }
        }
        let root = try #require(kept?.root.parent.string)
        #expect(!FileManager.default.fileExists(atPath: root))
    }
}
