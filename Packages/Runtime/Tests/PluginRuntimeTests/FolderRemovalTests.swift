@testable import Registry
import Glibc
import PluginCore
@testable import HostSystem
@testable import PluginRuntime
import Testing

@Suite("Removal of folders", .tags(.large))
struct FolderRemovalTests {
    private let temporary = TemporaryFolder()
    private var folder: FilePath { temporary.path }

    /// Creates a file whose name need not be valid UTF-8.
    private static func write(_ name: [UInt8], in folder: FilePath) throws {
        let path = (Array(folder.string.utf8) + [UInt8(ascii: "/")] + name + [0]).map { CChar(bitPattern: $0) }
        let file = open(path, O_WRONLY | O_CREAT, 0o644)
        try #require(file >= 0)
        close(file)
    }

    @Test("Garbage collection and uninstalls remove files whose names aren't UTF-8")
    func everywhere() async throws {
        let host = try TestHost()
        try await host.install(SamplePackage())
        let container = host.sandbox.container(of: .shop)
        let version = host.sandbox.plugins.appending("\(TestHost.shop)/0.9.0-aaaaaaaaaaaa")
        let rest = host.sandbox.staging.appending("rest")
        for folder in [version, rest] { try folder.makeFolder() }
        for folder in [container, version, version.parent, host.sandbox.plugins, rest, host.sandbox.staging] {
            for name in [[0xFF, 0x2E, 0xC3], [0xC3]] as [[UInt8]] { try Self.write(name, in: folder) }
        }
        try await host.collectGarbage()
        #expect(try host.folders() == ["1.0.0"])
        #expect(try FileSystem.names(in: host.sandbox.plugins) == [TestHost.shop.text])
        #expect(try FileSystem.names(in: host.sandbox.staging) == [])
        try await host.manager.uninstall(.shop, deleteData: true)
        #expect(!container.exists)
    }

    @Test("Removing a deeply nested folder succeeds with few open files")
    func deep() async throws {
        await #expect(processExitsWith: .success) { [root = folder.string as String] in
            let name = String(repeating: "d", count: 200)
            let top = root + "/data"
            try #require(mkdir(top, 0o755) == 0 && chdir(top) == 0)
            for level in 0..<1500 {
                if level % 100 == 0 { try #require(mkfifo("pipe", 0o644) == 0) }
                try #require(mkdir(name, 0o755) == 0 && chdir(name) == 0)
            }
            try #require(chdir("/") == 0)
            try FileSystem.remove(FilePath(top))
        }
        #expect(try folder.names == [])
    }

    @Test("Removing a folder doesn't follow symbolic links")
    func links() async throws {
        let (data, keep) = (folder.appending("data"), folder.appending("keep"))
        try keep.appending("inner/file").write("kept")
        try data.makeFolder()
        try #require(symlink(keep.string, data.appending("link").string) == 0)
        try FileSystem.remove(data)
        #expect(try folder.names == ["keep"])
        try #require(symlink(keep.string, data.string) == 0)
        try FileSystem.remove(data)
        #expect(try keep.appending("inner/file").text == "kept")
        #expect(try folder.names == ["keep"])
    }

    @Test("Removing a missing folder succeeds, and a failed removal throws")
    func nothing() async throws {
        try FileSystem.remove(folder.appending("nothing"))
        try FileSystem.remove(folder.appending("nothing/below"))
        let error = #expect(throws: AtriumError.self) { try FileSystem.remove("/proc/self/fd") }
        #expect(error?.reason?.name == "removingFailed")
    }
}
