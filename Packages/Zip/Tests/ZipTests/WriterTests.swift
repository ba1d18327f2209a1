import Glibc
import Testing

@testable import Zip
@testable import ZipWriting

@Suite("Writing archives", .tags(.medium))
struct WriterTests {
    private let temporary: TestFolder
    private var folder: String { temporary.path }

    init() throws { temporary = try TestFolder() }

    @Test("The same tree results in the same bytes")
    func deterministic() throws {
        var fromMemory = ZipWriter()
        let text = [UInt8](repeating: 65, count: 300_000)
        try makeFolder("\(folder)/t/b/empty")
        for name in ["z", "b/2", "b/10", "b-", "a"] {
            try writeFile(text, to: "\(folder)/t/\(name)", mode: name == "z" ? 0o750 : 0o600)
        }
        var fromDisk = ZipWriter()
        try fromDisk.add(tree: "\(folder)/t")
        try fromDisk.write(to: "\(folder)/disk.zip", durability: .synced)

        try fromMemory.add(text, as: "z", executable: true)
        for name in ["a", "b-", "b/10", "b/2"] { try fromMemory.add(text, as: name) }
        for name in ["b/empty/", "b/", "b/"] { try fromMemory.add(emptyFolder: name) }
        try fromMemory.write(to: "\(folder)/memory.zip")

        #expect(try readFile("\(folder)/disk.zip") == readFile("\(folder)/memory.zip"))
        let entries = try ZipArchive(path: "\(folder)/disk.zip").entries
        #expect(entries.map(\.name) == ["a", "b-", "b/", "b/10", "b/2", "b/empty/", "z"])
        #expect(entries.map(\.mode) == [0o644, 0o644, 0o755, 0o644, 0o644, 0o755, 0o755])
    }

    @Test("A file is replaced at the target of a link, and the link remains")
    func links() throws {
        try makeFolder("\(folder)/real")
        try writeFile([1], to: "\(folder)/real/a.zip")
        for (link, goal) in [("one", "real/two"), ("real/two", "a.zip"), ("new", "real/new.zip")] {
            try #require(symlink(goal, "\(folder)/\(link)") == 0)
        }
        for (name, goal) in [("one", "a.zip"), ("new", "new.zip")] {
            try pack(["a": [65]], to: "\(folder)/\(name)")
            #expect(try readFile("\(folder)/real/\(goal)").count > 1)
        }
        var status = stat()
        for link in ["one", "real/two", "new"] {
            try #require(lstat("\(folder)/\(link)", &status) == 0)
            #expect(status.st_mode & S_IFMT == S_IFLNK, "\(link)")
        }
    }

    @Test("Only a file is replaced", arguments: ["pipe", "folder", "link", "circle"])
    func special(name: String) throws {
        try #require(mkfifo("\(folder)/pipe", 0o600) == 0)
        try makeFolder("\(folder)/folder")
        try #require(symlink("pipe", "\(folder)/link") == 0)
        try #require(symlink("circle", "\(folder)/circle") == 0)
        var (before, after) = (stat(), stat())
        try #require(lstat("\(folder)/\(name)", &before) == 0)
        #expect(errorCode { try pack(["a": [65]], to: "\(folder)/\(name)") } == .specialFile)
        try #require(lstat("\(folder)/\(name)", &after) == 0)
        #expect(before.st_ino == after.st_ino && before.st_mode == after.st_mode)
    }

    @Test("Contents with an extreme compression ratio are stored, so no limit rejects them")
    func ratio() throws {
        let (zeros, text) = ([UInt8](repeating: 0, count: 2 << 20), [UInt8](repeating: 65, count: 100_000))
        try pack(["zeros": zeros, "text": text], to: "\(folder)/a.zip")
        let limits = ZipLimits(compressionRatio: ZipLimits.usualRatio)
        let archive = try ZipArchive(path: "\(folder)/a.zip", limits: limits)
        #expect(try archive.contents(of: "zeros", limit: zeros.count) == zeros)
        #expect(try readFile("\(folder)/a.zip").count < zeros.count + 1_000)
    }

    @Test("The bytes of a small archive do not change")
    func golden() throws {
        try pack(["a": [0x61]], to: "\(folder)/a.zip")
        let crc: [UInt8] = [0x43, 0xBE, 0xB7, 0xE8]
        let local: [UInt8] =
            [0x50, 0x4B, 3, 4, 20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0] + crc + [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]
        let central: [UInt8] =
            [0x50, 0x4B, 1, 2, 20, 3, 20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0] + crc
            + [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xA4, 0x81, 0, 0, 0, 0]
        let end: [UInt8] = [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0, 47, 0, 0, 0, 32, 0, 0, 0, 0, 0]
        #expect(try readFile("\(folder)/a.zip") == local + [0x61, 0x61] + central + [0x61] + end)
    }

    @Test("Contents that deflate does not compress, or that are to be stored, are stored")
    func methods() throws {
        var noise = SystemRandomNumberGenerator()
        let random = (0..<200_000).map { _ in UInt8.random(in: 0 ... .max, using: &noise) }
        let zeros = [UInt8](repeating: 0, count: 200_000)
        try writeFile(random, to: "\(folder)/random")
        var writer = ZipWriter()
        try writer.add(file: "\(folder)/random", as: "1")
        try writer.add(zeros, as: "2")
        try writer.add(zeros, as: "3", method: .stored)
        try writer.add([], as: "4")
        try writer.write(to: "\(folder)/a.zip")
        let archive = try ZipArchive(path: "\(folder)/a.zip")
        #expect(archive.entries.map(\.method) == [.stored, .deflated, .stored, .stored])
        #expect(try archive.contents(of: "1", limit: .max) == random)
        #expect(try archive.contents(of: "2", limit: .max) == zeros)
        #expect(try archive.contents(of: "4", limit: 0) == [])
    }

    @Test("Links and pipes are rejected without blocking")
    func specialFiles() throws {
        try makeFolder("\(folder)/l/sub")
        try makeFolder("\(folder)/p")
        try writeFile([1], to: "\(folder)/f")
        try makeLink("\(folder)/l/sub/link", to: "../../f")
        try makePipe("\(folder)/p/pipe")
        for path in ["\(folder)/l/sub/link", "\(folder)/p/pipe", "\(folder)/l"] {
            var writer = ZipWriter()
            try writer.add(file: path, as: "x")
            #expect(errorCode { try writer.write(to: "\(folder)/a.zip") } == .specialFile)
            #expect(!exists("\(folder)/a.zip"))
        }
    }

    @Test("If writing fails, the old file and nothing else remains")
    func failure() throws {
        try writeFile([42], to: "\(folder)/a.zip")
        var missing = ZipWriter()
        try missing.add([1], as: "a")
        try missing.add(file: "\(folder)/missing", as: "b")
        let error = #expect(throws: ZipError.self) { try missing.write(to: "\(folder)/a.zip") }
        #expect(error?.code == .system && error?.errno == 2)
        #expect(error?.entry == "b")

        var twice = ZipWriter()
        try twice.add([1], as: "a")
        try twice.add([1], as: "a/b")
        #expect(errorCode { try twice.write(to: "\(folder)/a.zip") } == .nameClash)
        #expect(try tree(folder) == ["a.zip": [42]])

        try makeFolder("\(folder)/d/full")
        #expect(throws: ZipError.self) { try ZipWriter().write(to: "\(folder)/d/full") }
        #expect(try tree("\(folder)/d") == ["full/": []])
    }

    @Test("Names that a reader would reject are rejected", arguments: ["../x", "/x", "a//b", "", "x/", "a\\b", "c:x"])
    func names(name: String) throws {
        var writer = ZipWriter()
        #expect(errorCode { try writer.add([1], as: name) } == .unsafeName)
    }
}
