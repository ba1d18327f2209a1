import Testing

@testable import Zip

@Suite("Rejected archives", .tags(.medium))
struct RefusalTests {
    private let temporary: TestFolder
    private var folder: String { temporary.path }

    init() throws { temporary = try TestFolder() }

    @Test(
        "A name that is not a plain relative path is rejected",
        arguments: [
            "../x", "a/../x", "..", ".", "././a", "./../a", ".//a", "./.", ".//", "./C:a", "a/.", "a/./b", "a/./",
            "/etc/passwd", "/", "a//b", "a//", "a\\b", "..\\x",
            "C:evil", "c:/evil", "a\0b", "a\u{7}b", "a\nb", "a\u{7F}", "a\u{85}b", String(repeating: "n", count: 256),
            String(repeating: "d/", count: 65) + "f",
            String(repeating: "0123456789/", count: 400) + "f",
        ])
    func unsafeNames(name: String) throws {
        try expectRefusal(.unsafeName, Crafted(names: ["a-first-good-one", name]))
    }

    @Test("An empty name, one that is not UTF-8, and one of MS-DOS without the UTF-8 flag are rejected")
    func unsafeBytes() throws {
        try expectRefusal(.unsafeName, Crafted([([], [])]))
        try expectRefusal(.unsafeName, Crafted([([0x61, 0xFF], [])]))
        try expectRefusal(.unsafeName, Crafted([([0x2E, 0xC0, 0xAF], [])]))
        var unmarked = Crafted(names: ["é"])
        unmarked.edit {
            $0.flags = []
            $0.madeBy = 20
        }
        try expectRefusal(.unsafeName, unmarked)
        var latin = Crafted([([0xE9], [])])
        latin.edit { $0.flags = [] }
        try expectRefusal(.unsafeName, latin)
    }

    @Test(
        "Names that cannot exist side by side, or that differ only in case or in the encoding of accents, are rejected",
        arguments: [
            ["a", "a"], ["a/", "a/"], ["a", "a/"], ["a/b", "a"], ["a", "a-b", "a/b"], ["a/b/c", "a!", "a/b"],
            ["x/y/", "x/y"], ["d/", "d/f", "d/f/g/"], ["./a", "a"], ["./", "./"], ["a/b", "./a"], ["a", "A"],
            ["Readme.TXT", "README.txt"], ["d/a", "d/A"], ["é", "e\u{301}"], ["É", "e\u{301}"],
            ["straße", "STRASSE"], ["ὀδός", "ὈΔΌΣ"], ["K", "\u{212A}"], ["ﬁ", "FI"], ["a/", "A/"], ["a", "A/"],
            ["D/x", "d/y"], ["x/D/1", "x/d-e/1", "x/d/2"], ["a", "A/b"], ["\u{C5}", "\u{212B}"], ["ǆ", "ǅ"],
            ["straẞe", "straße"], ["straẞe", "strasse"], ["\u{1FB4}", "α\u{345}\u{301}"],
            ["\u{1FB3}\u{301}", "\u{1FBC}\u{301}"],
            ["a", "a\u{200D}"], ["a", "\u{FEFF}A"], ["a", "a."], ["a", "a. ."], ["d./x", "D/y"],
        ])
    func clashes(names: [String]) throws {
        try expectRefusal(.nameClash, Crafted(names: names))
        try expectRefusal(.nameClash, Crafted(names: names.reversed()))
    }

    @Test("Names that only resemble a clash, and a folder listed after its content, are accepted")
    func noClash() throws {
        let names = ["a-b", "a.b", "a/b", "a/", "ab", "é", "e", "x/y/z", "x/", "x/Y-", "X-/y", "b/a", "ss", "s"]
        let found = try extract(Crafted(names: names).bytes, in: folder)
        for name in names { #expect(found[name] != nil, "\(name)") }
    }

    @Test("A leading \"./\" is ignored, as bsdtar writes it")
    func leadingDot() throws {
        let found = try extract(Crafted(names: ["./", "./d/", "./d/f", "./.hidden", "g"]).bytes, in: folder)
        #expect(found.keys.sorted() == [".hidden", "d/", "d/f", "g"])
        #expect(try ZipArchive(path: "\(folder)/a.zip").entries.map(\.name) == ["d/", "d/f", ".hidden", "g"])
    }

    @Test("A UTF-8 name of Unix without the UTF-8 flag is accepted")
    func unmarkedUnix() throws {
        var crafted = Crafted(names: ["ünï"])
        crafted.edit { $0.flags = [] }
        #expect(try extract(crafted.bytes, in: folder).keys.sorted() == ["ünï"])
    }

    @Test("Sizes in a data descriptor are read", arguments: [true, false])
    func descriptor(hasSignature: Bool) throws {
        var crafted = Crafted(names: ["a", "b"])
        crafted.stream(hasSignature: hasSignature)
        #expect(try extract(crafted.bytes, in: folder)["a"] == Array("data".utf8))
    }

    static let headers: [Refusal] = [
        .spoiled("a symbolic link", .specialFile) { $0.edit { $0.externalAttributes = 0o120777 << 16 } },
        .spoiled("a symbolic link said to come from MS-DOS", .specialFile) {
            $0.edit {
                $0.madeBy = 20
                $0.externalAttributes = 0o120777 << 16
            }
        },
        .spoiled("a device", .specialFile) { $0.edit { $0.externalAttributes = 0o060644 << 16 } },
        .spoiled("a pipe", .specialFile) { $0.edit { $0.externalAttributes = 0o010644 << 16 } },
        .spoiled("a folder's mode on a file", .malformed) { $0.edit { $0.externalAttributes = 0o040755 << 16 } },
        .spoiled("strong encryption", .unsupported) { $0.edit { $0.flags = [.encrypted, .strongEncryption] } },
        .spoiled("masked headers", .unsupported) { $0.edit { $0.flags = .maskedHeaders } },
        .spoiled("an unknown flag", .unsupported) { $0.edit { $0.flags = HeaderFlags(rawValue: 1 << 5) } },
        .spoiled("an unknown method", .unsupported) { $0.edit { $0.method = 12 } },
        .spoiled("a second name in a local extra field", .unsafeName) {
            $0.entries[0].localExtra = Crafted.unicodePath("c", beside: "a")
        },
        .spoiled("a second name for another name", .unsafeName) {
            $0.entries[0].central.extra = Crafted.unicodePath("a", beside: "x")
        },
        .spoiled("a second name of an unknown version", .unsafeName) {
            $0.entries[0].central.extra = Crafted.unicodePath("a", beside: "a", version: 2)
        },
        .spoiled("two second names", .malformed) {
            let name = Crafted.unicodePath("a", beside: "a")
            $0.entries[0].central.extra = name + name
        },
        .spoiled("an extra field longer than its space", .malformed) { $0.edit { $0.extra = [9, 9, 5, 0, 1] } },
        .spoiled("an entry on another disk", .unsupported) { $0.edit { $0.disk = 1 } },
        .spoiled("a stored entry with two sizes", .malformed) { $0.edit { $0.uncompressedSize = 5 } },
        .spoiled("more than deflate can make of it", .sizeMismatch) {
            $0.edit {
                $0.method = 8
                $0.uncompressedSize = 4 * 1032 + 1
            }
        },
        .spoiled("another local time", .headerMismatch) { $0.entries[0].local.time = 1 },
        .spoiled("another local date", .headerMismatch) { $0.entries[0].local.date = 0x22 },
        .spoiled("another local CRC", .headerMismatch) { $0.entries[0].local.crc32 ^= 1 },
        .spoiled("another local size", .headerMismatch) { $0.entries[0].local.uncompressedSize += 1 },
        .spoiled("a local CRC left out without a descriptor", .headerMismatch) { $0.entries[0].local.crc32 = 0 },
        .spoiled("other local flags", .headerMismatch) { $0.entries[0].local.flags = .utf8 },
        .spoiled("a descriptor announced but absent", .malformed) { $0.edit { $0.flags = .dataDescriptor } },
        .spoiled("a descriptor with another CRC", .headerMismatch) {
            $0.edit { $0.flags = .dataDescriptor }
            $0.entries[0].trailer = [UInt8](repeating: 0, count: 12)
        },
        .spoiled("a wrong CRC", .checksumMismatch) { $0.edit { $0.crc32 ^= 1 } },
    ]

    @Test(
        "An entry with an invalid header and an archive with an invalid layout are rejected",
        arguments: headers + layouts)
    func spoiled(row: Refusal) throws {
        try expectRefusal(row.code, row.make())
    }

    static let layouts: [Refusal] = [
        .spoiled("bytes before the first entry", .malformed) { $0.prefix = [0] },
        .spoiled("bytes between entries", .malformed) { $0.entries[0].trailer = [0] },
        .spoiled("bytes before the directory", .malformed) { $0.beforeDirectory = [0] },
        .spoiled("bytes behind the end record", .malformed) { $0.suffix = [0] },
        .spoiled("an end record before the end record, whose comment reaches as far", .malformed) {
            let inner = Crafted(names: [])
            var data = inner.bytes
            data[20] = 22 + UInt8(CentralHeader.size + 1)
            $0 = Crafted([(Array("a".utf8), data)])
        },
        .spoiled("two entries with the same data", .malformed) {
            let first = $0.entries[0]
            $0.entries.append(first)
            $0.entries[2].central.offset = 0 &- UInt32(2 * (LocalHeader.size + 5))
            $0.entries[2].central.name = Array("c".utf8)
        },
        .spoiled("an offset behind the directory", .malformed) { $0.entries[1].central.offset = 5000 },
        .spoiled("more entries than there are", .malformed) {
            $0.editEnd = {
                $0.entryCount += 1
                $0.entriesOnDisk += 1
            }
        },
        .spoiled("a second disk", .unsupported) { $0.editEnd = { $0.disk = 1 } },
        .spoiled("a count of ZIP64", .unsupported) {
            $0.editEnd = { ($0.entriesOnDisk, $0.entryCount) = (.max, .max) }
        },
        .spoiled("a directory's size of ZIP64", .unsupported) { $0.editEnd = { $0.directorySize = .max } },
        .spoiled("a directory's offset of ZIP64", .unsupported) { $0.editEnd = { $0.directoryOffset = .max } },
        .spoiled("a directory elsewhere", .malformed) { $0.editEnd = { $0.directoryOffset -= 1 } },
    ]

    @Test(
        "A file that is not an archive is rejected",
        arguments: [[], [0x50, 0x4b, 5, 6], [UInt8](repeating: 7, count: 70_000)])
    func noArchive(bytes: [UInt8]) throws {
        #expect(errorCode { try extract(bytes, in: folder) } == .notAnArchive)
    }

    @Test("The error for a missing file contains its path and the system's error number")
    func missing() throws {
        let error = #expect(throws: ZipError.self) { try ZipArchive(path: "\(folder)/none.zip") }
        #expect(error?.code == .system && error?.path == "\(folder)/none.zip")
        #expect(error?.errno == 2)
    }

    @Test("The error contains the entry, which its description escapes")
    func sentence() throws {
        let error = #expect(throws: ZipError.self) {
            try extract(Crafted(names: ["../\u{1B}[2J"]).bytes, in: folder)
        }
        #expect(error?.entry == "../\u{1B}[2J" && error?.path == "\(folder)/a.zip")
        let expected = #"unsafe-name: entry "../\u{1B}[2J": "\#(folder)/a.zip": a control character in the name"#
        #expect(error?.description == expected)
    }
}
