import FoundationEssentials
import Testing

@testable import Zip
import ZipWriting

@Suite("Extraction", .tags(.medium))
struct ExtractionTests {
    private let temporary: TestFolder
    private var folder: String { temporary.path }

    init() throws { temporary = try TestFolder() }

    @Test(
        "Files get the mode 0444 or 0555 and folders 0755, whatever the archive contains",
        arguments: [ZipDurability.buffered, .synced])
    func modes(durability: ZipDurability) throws {
        var crafted = Crafted(names: ["d/plain", "d/run", "d/loose", "d/", "bare"])
        crafted.edit(0) { $0.externalAttributes = 0o100600 << 16 }
        crafted.edit(1) { $0.externalAttributes = 0o100700 << 16 }
        crafted.edit(2) { $0.externalAttributes = 0o106677 << 16 }
        crafted.edit(3) { $0.externalAttributes = 0o040000 << 16 }
        try writeFile(crafted.bytes, to: "\(folder)/a.zip")
        let archive = try ZipArchive(path: "\(folder)/a.zip")
        try archive.extract(to: "\(folder)/out", durability: durability)
        #expect(archive.entries.map(\.mode) == [0o600, 0o700, 0o6677, 0, 0o644])
        let found = try ["d/plain", "d/run", "d/loose", "d", "bare", ""].map { try mode(of: "\(folder)/out/\($0)") }
        #expect(found == [0o444, 0o555, 0o444, 0o755, 0o444, 0o755])
    }

    @Test("The progress covers every byte exactly once")
    func progress() throws {
        var writer = ZipWriter()
        try writer.add([UInt8](repeating: 7, count: 200_000), as: "big")
        try writer.add([UInt8](repeating: 7, count: 1_000), as: "small", method: .stored)
        try writer.write(to: "\(folder)/a.zip")
        var reports: [UInt64] = []
        try ZipArchive(path: "\(folder)/a.zip").extract(to: "\(folder)/out") { done, total in
            #expect(total == 201_000)
            reports.append(done)
        }
        #expect(reports.first == 0)
        #expect(reports.last == 201_000)
        #expect(reports == reports.sorted())
        #expect(reports.count >= 5)
    }

    @Test("An existing target is not touched, whether it is a folder, a file or a dangling link")
    func existingTarget() throws {
        try writeFile(Crafted(names: ["a"]).bytes, to: "\(folder)/a.zip")
        try makeFolder("\(folder)/folder")
        try writeFile([1], to: "\(folder)/folder/keep")
        try writeFile([2], to: "\(folder)/file")
        try makeLink("\(folder)/link", to: "\(folder)/nowhere")
        let archive = try ZipArchive(path: "\(folder)/a.zip")
        for name in ["folder", "folder/", "file", "link"] {
            #expect(errorCode { try archive.extract(to: "\(folder)/\(name)") } == .targetExists)
        }
        #expect(try readFile("\(folder)/folder/keep") == [1])
        #expect(try readFile("\(folder)/file") == [2])
        #expect(!exists("\(folder)/nowhere"))
    }

    @Test("A target without a name, or in a missing folder, is rejected")
    func impossibleTarget() throws {
        try writeFile(Crafted(names: ["a"]).bytes, to: "\(folder)/a.zip")
        let archive = try ZipArchive(path: "\(folder)/a.zip")
        for path in ["", "/", "\(folder)/x/.."] {
            #expect(errorCode { try archive.extract(to: path) } == .unsafeName)
        }
        let error = #expect(throws: ZipError.self) { try archive.extract(to: "\(folder)/missing/out") }
        #expect(error?.errno == 2 && error?.path == "\(folder)/missing")
    }

    @Test("Deep and wide trees are removed if the last entry is damaged")
    func cleanUp() throws {
        let deep = String(repeating: "d/", count: 60)
        var crafted = Crafted(names: ["a/b/c/1", "a/b/2", "a/3/", deep + "f", "e", "z/last"])
        crafted.edit(5) { $0.crc32 ^= 1 }
        try writeFile(crafted.bytes, to: "\(folder)/a.zip")
        var written: UInt64 = 0
        let error = #expect(throws: ZipError.self) {
            try ZipArchive(path: "\(folder)/a.zip").extract(to: "\(folder)/out") { done, _ in written = done }
        }
        #expect(error?.code == .checksumMismatch && error?.entry == "z/last")
        #expect(written == 20)
        #expect(try tree(folder).keys.sorted() == ["a.zip"])
    }

    @Test("Links that appear in the target are not followed, neither for writing nor for removing")
    func intruder() throws {
        try makeFolder("\(folder)/outside")
        try writeFile([9], to: "\(folder)/outside/1")
        var crafted = Crafted(names: ["a/1", "b/1", "c/1"])
        crafted.edit(2) { $0.crc32 ^= 1 }
        try writeFile(crafted.bytes, to: "\(folder)/a.zip")
        let archive = try ZipArchive(path: "\(folder)/a.zip")

        let writing = #expect(throws: ZipError.self) {
            try archive.extract(to: "\(folder)/out") { done, _ in
                if done == 4 { try? makeLink("\(folder)/out/b", to: "../outside") }
            }
        }
        #expect(writing?.errno == 17)
        #expect(try tree("\(folder)/outside") == ["1": [9]])
        // The link was created by someone else, so it remains, and its folder as well.
        #expect(try tree("\(folder)/out").keys.sorted().map { $0.hasPrefix("b") } == [true])

        let cleaning = #expect(throws: ZipError.self) {
            try archive.extract(to: "\(folder)/out2") { done, _ in
                if done == 8 {
                    try? FileManager.default.moveItem(atPath: "\(folder)/out2/a", toPath: "\(folder)/moved")
                    try? makeLink("\(folder)/out2/a", to: "../outside")
                }
            }
        }
        #expect(cleaning?.code == .checksumMismatch)
        #expect(exists("\(folder)/moved/1"))
        #expect(try tree("\(folder)/outside") == ["1": [9]])
    }

    @Test("Limits are checked before anything is written")
    func limits() throws {
        try writeFile(Crafted(names: ["a", "b", "c/"]).bytes, to: "\(folder)/a.zip")
        let path = "\(folder)/a.zip"
        let exact = ZipLimits(entryCount: 3, totalUncompressedSize: 8)
        try ZipArchive(path: path, limits: exact).extract(to: "\(folder)/out")
        let tights = [ZipLimits(entryCount: 2), ZipLimits(totalUncompressedSize: 7), ZipLimits(compressionRatio: 0)]
        for tight in tights {
            #expect(errorCode { try ZipArchive(path: path, limits: tight) } == .limitExceeded)
        }
    }

    /// Returns data with a high compression ratio, but not so high that the writer would store it.
    private static func nearlyZeros(_ count: Int) -> [UInt8] {
        (0..<count).map { $0.isMultiple(of: 1_000) ? UInt8(truncatingIfNeeded: $0 >> 3) : 0 }
    }

    @Test("The compression ratio of each entry may reach the limit")
    func ratio() throws {
        try pack(["zeros": Self.nearlyZeros(1 << 20), "small": [1, 2, 3]], to: "\(folder)/a.zip")
        let zeros = try #require(try ZipArchive(path: "\(folder)/a.zip").entry(named: "zeros"))
        let ratio = (zeros.uncompressedSize + zeros.compressedSize - 1) / zeros.compressedSize
        try ZipArchive(path: "\(folder)/a.zip", limits: ZipLimits(compressionRatio: ratio)).extract(to: "\(folder)/out")
        let error = #expect(throws: ZipError.self) {
            try ZipArchive(path: "\(folder)/a.zip", limits: ZipLimits(compressionRatio: ratio - 1))
        }
        #expect(error?.code == .limitExceeded && error?.entry == "zeros")
    }

    @Test("Never more bytes are written than an entry declares")
    func bomb() throws {
        try pack(["bomb": Self.nearlyZeros(1 << 22)], to: "\(folder)/b.zip")
        let honest = try #require(try ZipArchive(path: "\(folder)/b.zip").entries.first)
        let data = try readFile("\(folder)/b.zip").dropFirst(34).prefix(Int(honest.compressedSize))
        for declared in [10, 1 << 22 - 1, 1 << 22 + 1] as [UInt32] {
            var crafted = Crafted([(Array("bomb".utf8), Array(data))])
            crafted.edit {
                $0.method = 8
                $0.crc32 = honest.crc32
                $0.uncompressedSize = declared
            }
            try writeFile(crafted.bytes, to: "\(folder)/c.zip")
            var written: UInt64 = 0
            let error = #expect(throws: ZipError.self) {
                try ZipArchive(path: "\(folder)/c.zip").extract(to: "\(folder)/out") { done, _ in written = done }
            }
            #expect(error?.code == .sizeMismatch)
            #expect(written <= UInt64(declared))
            #expect(!exists("\(folder)/out"))
        }
    }

    @Test("A canceled extraction stops and removes what it has written")
    func cancellation() async throws {
        try await Task {
            try withTemporaryFolder { folder in
                try writeFile(Crafted(names: ["a", "b"]).bytes, to: "\(folder)/a.zip")
                let archive = try ZipArchive(path: "\(folder)/a.zip")
                let error = #expect(throws: ZipError.self) {
                    try archive.extract(to: "\(folder)/out") { done, _ in
                        if done > 0 { withUnsafeCurrentTask { $0?.cancel() } }
                    }
                }
                #expect(error?.code == .canceled)
                #expect(!exists("\(folder)/out"))
            }
        }.value
    }

    @Test("The validated file is read even if another file replaces it")
    func replacedFile() throws {
        try pack(["a": [1]], to: "\(folder)/a.zip")
        let archive = try ZipArchive(path: "\(folder)/a.zip")
        try ZipWriter().write(to: "\(folder)/a.zip")
        try archive.extract(to: "\(folder)/out")
        #expect(try tree("\(folder)/out") == ["a": [1]])
        #expect(try ZipArchive(path: "\(folder)/a.zip").entries.isEmpty)
    }
}

@Suite("Reading an entry", .tags(.medium))
struct ContentsTests {
    private let temporary: TestFolder
    private var folder: String { temporary.path }

    init() throws { temporary = try TestFolder() }

    @Test("A file is read up to the limit and not beyond")
    func limit() throws {
        let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        try pack(["a": bytes], to: "\(folder)/a.zip")
        let archive = try ZipArchive(path: "\(folder)/a.zip")
        #expect(try archive.contents(of: "a", limit: 100_000) == bytes)
        for limit in [99_999, 0, -1] {
            #expect(errorCode { try archive.contents(of: "a", limit: limit) } == .limitExceeded)
        }
    }

    @Test("Names are compared by bytes, and folders cannot be read", arguments: ["b", "d", "d/", "K", ""])
    func noSuchEntry(name: String) throws {
        // U+212A, the Kelvin sign, which is canonically equivalent to a K.
        try writeFile(Crafted(names: ["a", "d/", "\u{212A}"]).bytes, to: "\(folder)/a.zip")
        let archive = try ZipArchive(path: "\(folder)/a.zip")
        #expect(errorCode { try archive.contents(of: name, limit: 10) } == .noSuchEntry)
        #expect(archive.entry(named: "d/")?.isDirectory == true)
    }
}
