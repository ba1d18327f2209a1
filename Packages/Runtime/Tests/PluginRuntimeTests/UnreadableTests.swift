import Doctor
import Glibc
import PluginCore
import Testing
@testable import BundleFormat
@testable import HostSystem
@testable import PluginRuntime
@testable import Registry

@Suite("Unreadable files and folders, their removal and their stamps", .tags(.large))
struct UnreadableTests {
    private let host = TestHost()
    @TemporaryFolder private var folder

    static let other: BundleIdentifier = "com.example.app.other"

    /// Installs two bundles, the first of which was updated from 1.0.0 to 1.1.0.
    private func installUpdated() async throws {
        try await host.install(
            SamplePackage(version: "1.0.0"), SamplePackage(version: "1.1.0"), SamplePackage(identifier: Self.other))
    }

    /// Installs a bundle that is linked with an installed library, offers an update of it, and returns the library's file.
    private func installLinked() async throws -> FilePath {
        let library = SampleLibrary()
        let user = try await library.user()
        let packages = ["1.0.0", "1.1.0"].map {
            SamplePackage(version: $0, requires: [library.identifier: "^1.0.0"], library: user)
        }
        try await host.install(library.package(), packages[0])
        try host.offer(packages[1])
        return try host.sandbox.library(of: host.bundle(library.identifier))
    }

    @Test("An unreadable item is an error, and only a definite answer of the system counts as absent")
    func items() async throws {
        try folder.appending("file").write("content")
        try folder.appending("closed/file").write("content")
        await #expect(processExitsWith: .success) { [root = folder.string as String] in
            let folder = FilePath(root)
            try becomeOwner(of: folder)
            try #require(chmod(folder.appending("closed").string, 0) == 0)
            #expect(try FileSystem.isFile(folder.appending("file")))
            #expect(try FileSystem.item(at: folder.appending("none")) == nil)
            #expect(try FileSystem.item(at: folder.appending("file/below")) == nil)
            let hidden = folder.appending("closed/file")
            for path in [hidden, folder.appending("closed/none")] {
                try failing(.sandboxUnwritable, of: path.string) { try FileSystem.item(at: path) }
            }
            #expect(throws: AtriumError.self) { try FileSystem.size(of: hidden) }
            #expect(throws: AtriumError.self) { try FileSystem.missingFolders(hidden) }
            #expect(throws: AtriumError.self) { try FileStamp(of: hidden) }
            try #require(chmod(folder.appending("closed").string, 0o755) == 0)
        }
    }

    @Test(
        "A rebuild fails on an unreadable folder without changes, and garbage collection later removes nothing",
        arguments: ["", "/\(TestHost.shop)"], [0o000, 0o444, 0o111])
    func rebuild(place: String, mode: Int) async throws {
        try await installUpdated()
        await #expect(processExitsWith: .success) {
            [root = host.root.string as String, place = place as String, mode = mode as Int] in
            let host = try ownedHost(in: root)
            let folder = host.sandbox.plugins.string + place
            try #require(chmod(folder, mode_t(mode)) == 0)
            try await failingAsync(.sandboxUnwritable) { try await host.rebuild() }
            try #require(chmod(folder, 0o755) == 0)
            let next = host.another()
            #expect(try next.versions() == ["1.1.0", "1.0.0"])
            #expect(try next.registry.active.version(of: UnreadableTests.other) != nil)
            try await next.collectGarbage()
            #expect(try next.folders() == ["1.0.0", "1.1.0"])
        }
    }

    @Test("A rebuild of a lost registry fails on an unreadable folder, and the sandbox isn't taken for an empty one")
    func lostRegistry() async throws {
        try await installUpdated()
        try host.sandbox.registry.remove()
        await #expect(processExitsWith: .success) { [root = host.root.string as String] in
            let host = try ownedHost(in: root)
            try #require(chmod(host.sandbox.plugins.string, 0o444) == 0)
            for _ in 0..<2 {
                try await failingAsync(.sandboxUnwritable) { try await host.rebuild() }
                #expect(throws: AtriumError.self) { try host.registry.active.all() }
            }
            try #require(chmod(host.sandbox.plugins.string, 0o755) == 0)
            #expect(try await RegistryRebuild(of: host.another().manager).run().active.count == 2)
        }
    }

    @Test("Garbage collection fails on an unreadable folder after removing everything it can")
    func collection() async throws {
        try await installUpdated()
        let useless = [Self.other, TestHost.shop].map { host.sandbox.plugins.appending("\($0)/0.1.0-000000000000") }
        for folder in useless { try folder.appending("manifest.json").write("{}") }
        await #expect(processExitsWith: .success) { [root = host.root.string as String] in
            let host = try ownedHost(in: root)
            let closed = host.sandbox.plugins.appending(UnreadableTests.other.text)
            try #require(chmod(closed.string, 0) == 0)
            try await failingAsync(.sandboxUnwritable, of: closed.string) { try await host.collectGarbage() }
            try #require(chmod(closed.string, 0o755) == 0)
            #expect(try host.folders() == ["1.0.0", "1.1.0"])
            #expect(try host.folders(UnreadableTests.other) == ["0.1.0", "1.0.0"])
        }
    }

    @Test("An unreadable file is no reason to repair an installed version")
    func repair() async throws {
        try await installUpdated()
        await #expect(processExitsWith: .success) { [root = host.root.string as String] in
            let host = try ownedHost(in: root)
            let bundle = try host.bundle()
            let manifest = host.sandbox.folder(of: bundle).appending("manifest.json")
            try #require(chmod(manifest.string, 0) == 0)
            try await failingAsync(.sandboxUnwritable, of: manifest.string) { try await host.manager.install(.shop) }
            // The checkup reports the unreadable file and suggests no repair.
            let finding = host.findings().first { $0.check == .versions }
            #expect(finding?.severity == .wrong, "\(String(describing: finding))")
            #expect(finding?.what.description.contains(manifest.string) == true, "\(String(describing: finding))")
            #expect(finding?.remedy.map { $0.name == "installAgain" } == false, "\(String(describing: finding))")
            let verified = try host.maintenance.verify().first { $0.bundle == bundle }
            #expect(verified?.findings.map(\.isUnread) == [true], "\(String(describing: verified))")
        }
    }

    /// The item of a version's folder whose permissions are removed.
    enum Place: String, CaseIterable, Codable { case folder, manifest, seal }

    @Test("A staged version with an unreadable file stays staged, and the log says so", arguments: Place.allCases)
    func staged(place: Place) async throws {
        try await host.install(first: "1.0.0", offering: "1.1.0")
        try await host.manager.change([.update(.shop)], staging: true)
        await #expect(processExitsWith: .success) {
            [root = host.root.string as String, place = place as Place] in
            let host = try ownedHost(in: root)
            let folder = host.sandbox.folder(of: try #require(try host.registry.staged.all().first))
            let closed =
                switch place {
                case .folder: folder
                case .manifest: folder.appending("manifest.json")
                case .seal: folder.appending("signature/seal.json")
                }
            // Names in the folder can be listed, but its items cannot be accessed.
            try #require(chmod(closed.string, place == .folder ? 0o444 : 0) == 0)
            #expect(try await host.manager.prepareForLaunch().isEmpty)
            #expect(host.log.count == 1 && host.log[0].contains("Postponed("), "\(host.log)")
            #expect(try host.registry.staged.all().count == 1)
            try #require(chmod(closed.string, place == .folder ? 0o755 : 0o444) == 0)
            #expect(try await host.restart().count == 1)
            #expect(try host.versions() == ["1.1.0", "1.0.0"])
        }
    }

    @Test(
        "A staged version, or the rollback of a crashed one, waits while a dependency is unreadable, and no author is blamed",
        arguments: [true, false])
    func dependency(isStaged: Bool) async throws {
        let file = try await installLinked()
        try await host.manager.change([.update(.shop)], staging: isStaged)
        if !isStaged { try host.recordCrash(.shop) }
        let before = try host.versions()
        await #expect(processExitsWith: .success) {
            [
                root = host.root.string as String, file = file.string as String, before = before as [String?],
                isStaged = isStaged as Bool,
            ] in
            let host = try ownedHost(in: root)
            try #require(chmod(file, 0) == 0)
            #expect(try await host.manager.prepareForLaunch().isEmpty)
            #expect(host.log.count == 1 && host.log[0].contains("Postponed("), "\(host.log)")
            #expect(host.log[0].contains(file) && !host.log[0].contains("author"), "\(host.log)")
            #expect(try host.versions() == before && host.folders() == ["1.0.0", "1.1.0"])
            #expect(try host.registry.staged.all().count == (isStaged ? 1 : 0))
            try #require(chmod(file, 0o444) == 0)
            #expect(try await host.restart().count == 1)
            #expect(try host.versions() == (isStaged ? ["1.1.0", "1.0.0"] : ["1.0.0", nil]))
        }
    }

    @Test("Loader errors caused by the system are distinguished from faults of the library")
    func loader() {
        let name = "/proc/self/fd/12: "
        for words in [
            "cannot open shared object file: Too many open files", "cannot read file data: Input/output error",
            "failed to map segment from shared object", "cannot map zero-fill pages: Cannot allocate memory",
            "cannot close file descriptor: Input/output error",
        ] { #expect(DynamicLibrary.isOfMachine(loaderWords: name + words), "\(words)") }
        for words in [
            "undefined symbol: answer", "libBase.so: cannot open shared object file: No such file or directory",
            "invalid ELF header", "file too short",
        ] { #expect(!DynamicLibrary.isOfMachine(loaderWords: name + words), "\(words)") }
    }

    /// Creates a file whose name need not be valid UTF-8.
    private static func write(_ name: [UInt8], in folder: FilePath) throws {
        let path = (Array(folder.string.utf8) + [UInt8(ascii: "/")] + name + [0]).map { CChar(bitPattern: $0) }
        let file = open(path, O_WRONLY | O_CREAT, 0o644)
        try #require(file >= 0)
        close(file)
    }

    @Test("Garbage collection and uninstalls remove files whose names aren't UTF-8")
    func everywhere() async throws {
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

    @Test("Removing a folder doesn't follow symbolic links, succeeds if it is missing, and throws if it fails")
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
        for name in ["nothing", "nothing/below"] { try FileSystem.remove(folder.appending(name)) }
        let error = #expect(throws: AtriumError.self) { try FileSystem.remove("/proc/self/fd") }
        #expect(error?.reason?.name == "removingFailed")
    }

    /// Returns a file status with the given modification and change times, in nanoseconds since 1970.
    private static func status(modified: Int64, changed: Int64) -> stat {
        var status = stat()
        let time = { (at: Int64) in
            timespec(tv_sec: Int(at / 1_000_000_000), tv_nsec: Int(at % 1_000_000_000))
        }
        (status.st_mtim, status.st_ctim) = (time(modified), time(changed))
        return status
    }

    private static let second: Int64 = 1_000_000_000
    private static let start = 1_700_000_000 * second

    @Test(
        "A stamp is settled once the clock has ticked after the last change, and one with whole seconds after two seconds",
        arguments: [
            (1, 2, 10_000_000, false), (1, 2, 30_000_000, true),
            // One of the two times can be a whole second by chance, or because a program has set it.
            (0, 2, 30_000_000, true), (1, 0, 30_000_000, true),
            // A file with whole seconds could change unnoticed within two of them.
            (0, 0, 30_000_000, false), (0, 0, second, false), (0, 0, 2 * second, false),
            (-7 * second, 0, second, false), (0, 0, 2 * second + 30_000_000, true),
            // The file's time is in the future.
            (1, 2, -second, false),
        ] as [(Int64, Int64, Int64, Bool)])
    func isStable(modified: Int64, changed: Int64, wait: Int64, isStable: Bool) {
        let status = Self.status(modified: Self.start + modified, changed: Self.start + changed)
        #expect(FileStamp(status, at: Self.start + changed + wait).isStable == isStable)
    }
}
