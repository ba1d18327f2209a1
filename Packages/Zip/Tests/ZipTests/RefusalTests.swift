import Testing

@testable import Zip

@Suite("What a reader must refuse")
struct RefusalTests {
    /// A way to spoil a sound archive, and what must be said about it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let code: ZipError.Code
        let make: @Sendable () -> Crafted

        init(_ name: String, _ code: ZipError.Code, _ make: @escaping @Sendable () -> Crafted) {
            testDescription = name
            self.code = code
            self.make = make
        }

        static func spoiled(
            _ name: String, _ code: ZipError.Code, _ spoil: @escaping @Sendable (inout Crafted) -> Void
        ) -> Case {
            Case(name, code) {
                var crafted = Crafted(names: ["a", "b"])
                spoil(&crafted)
                return crafted
            }
        }
    }

    @Test(
        "refuses a name that is not a plain relative path",
        arguments: [
            "../x", "a/../x", "..", ".", "./a", "a/.", "a/./b", "/etc/passwd", "/", "a//b", "a//", "a\\b", "..\\x",
            "C:evil", "c:/evil", "a\0b", "a\u{7}b", "a\nb", "a\u{7F}", "a\u{85}b", String(repeating: "n", count: 256),
            String(repeating: "d/", count: 65) + "f",
            String(repeating: "0123456789/", count: 400) + "f",
        ])
    func unsafeNames(name: String) throws {
        try expectRefusal(.unsafeName, Crafted(names: ["a-first-good-one", name]))
    }

    @Test("refuses an empty name, one that is not UTF-8, and one not marked as UTF-8")
    func unsafeBytes() throws {
        try expectRefusal(.unsafeName, Crafted([([], [])]))
        try expectRefusal(.unsafeName, Crafted([([0x61, 0xFF], [])]))
        try expectRefusal(.unsafeName, Crafted([([0x2E, 0xC0, 0xAF], [])]))
        var unmarked = Crafted(names: ["é"])
        unmarked.edit { $0.flags = [] }
        try expectRefusal(.unsafeName, unmarked)
    }

    @Test(
        "refuses names that cannot exist side by side",
        arguments: [
            ["a", "a"], ["a/", "a/"], ["a", "a/"], ["a/b", "a"], ["a", "a-b", "a/b"], ["a/b/c", "a!", "a/b"],
            ["x/y/", "x/y"], ["d/", "d/f", "d/f/g/"],
        ])
    func clashes(names: [String]) throws {
        try expectRefusal(.nameClash, Crafted(names: names))
    }

    @Test("accepts names that merely resemble a clash, and a folder listed after its content")
    func noClash() throws {
        let names = ["a-b", "a.b", "a/b", "a/", "ab", "é", "e\u{301}", "x/y/z", "x/"]
        try withTemporaryFolder { folder in
            _ = try extract(Crafted(names: names).bytes, in: folder)
            // Asked one by one, since a Swift dictionary takes both spellings of "é" for one key.
            for name in names { #expect(exists("\(folder)/out/\(name)"), "\(name)") }
        }
    }

    static let headers: [Case] = [
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
        .spoiled("MS-DOS's folder mark on a file", .malformed) { $0.edit { $0.externalAttributes = 0x10 } },
        .spoiled("a folder with content", .malformed) { $0.edit { $0.name = Array("a/".utf8) } },
        .spoiled("encryption", .unsupported) { $0.edit { $0.flags = .encrypted } },
        .spoiled("strong encryption", .unsupported) { $0.edit { $0.flags = [.encrypted, .strongEncryption] } },
        .spoiled("masked headers", .unsupported) { $0.edit { $0.flags = .maskedHeaders } },
        .spoiled("an unknown flag", .unsupported) { $0.edit { $0.flags = HeaderFlags(rawValue: 1 << 5) } },
        .spoiled("an unknown method", .unsupported) { $0.edit { $0.method = 12 } },
        .spoiled("ZIP64 sizes", .unsupported) { $0.edit { $0.uncompressedSize = .max } },
        .spoiled("a ZIP64 extra field", .unsupported) { $0.edit { $0.extra = [1, 0, 0, 0] } },
        .spoiled("a local ZIP64 extra field", .unsupported) {
            $0.entries[0].localExtra = [1, 0, 0, 0]
            $0.entries[0].local.extraSize = 4
        },
        .spoiled("a second name in an extra field", .unsupported) { $0.edit { $0.extra = [0x75, 0x70, 0, 0] } },
        .spoiled("an extra field longer than its space", .malformed) { $0.edit { $0.extra = [9, 9, 5, 0, 1] } },
        .spoiled("an entry on another disk", .unsupported) { $0.edit { $0.disk = 1 } },
        .spoiled("a stored entry with two sizes", .malformed) { $0.edit { $0.uncompressedSize = 5 } },
        .spoiled("another local name", .headerMismatch) { $0.entries[1].localName = Array("c".utf8) },
        .spoiled("another local method", .headerMismatch) { $0.entries[0].local.method = 8 },
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

    @Test("refuses an entry's header", arguments: headers)
    func header(row: Case) throws {
        try expectRefusal(row.code, row.make())
    }

    static let layouts: [Case] = [
        .spoiled("bytes before the first entry", .malformed) { $0.prefix = [0] },
        .spoiled("bytes between entries", .malformed) { $0.entries[0].trailer = [0] },
        .spoiled("bytes before the directory", .malformed) { $0.beforeDirectory = [0] },
        .spoiled("bytes behind the end record", .malformed) { $0.suffix = [0] },
        .spoiled("a comment that holds an end record", .malformed) {
            $0.comment = Array(Crafted(names: []).bytes)
            $0.comment += [0]
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
        .spoiled("fewer entries than there are", .malformed) {
            $0.editEnd = {
                $0.entryCount -= 1
                $0.entriesOnDisk -= 1
            }
        },
        .spoiled("entries on several disks", .unsupported) { $0.editEnd = { $0.entryCount += 1 } },
        .spoiled("a second disk", .unsupported) { $0.editEnd = { $0.disk = 1 } },
        .spoiled("a ZIP64 directory", .unsupported) { $0.editEnd = { $0.directoryOffset = .max } },
        .spoiled("a ZIP64 locator nobody asked for", .unsupported) {
            $0.entries[1].central.comment = EndRecord.zip64LocatorSignature + [UInt8](repeating: 0, count: 16)
        },
        .spoiled("a directory elsewhere", .malformed) { $0.editEnd = { $0.directoryOffset -= 1 } },
    ]

    @Test("refuses an archive's layout", arguments: layouts)
    func layout(row: Case) throws {
        try expectRefusal(row.code, row.make())
    }

    @Test(
        "refuses a file that is no archive", arguments: [[], [0x50, 0x4b, 5, 6], [UInt8](repeating: 7, count: 70_000)])
    func noArchive(bytes: [UInt8]) throws {
        try withTemporaryFolder { folder in
            let error = #expect(throws: ZipError.self) { try extract(bytes, in: folder) }
            #expect(error?.code == .notAnArchive)
        }
    }

    @Test("says which file is missing, with the system's number")
    func missing() throws {
        try withTemporaryFolder { folder in
            let error = #expect(throws: ZipError.self) { try ZipArchive(path: "\(folder)/none.zip") }
            #expect(error?.code == .system)
            #expect(error?.path == "\(folder)/none.zip")
            #expect(error?.errno == 2)
        }
    }

    @Test("names the entry in the error, and escapes it in the sentence")
    func sentence() throws {
        try withTemporaryFolder { folder in
            let error = #expect(throws: ZipError.self) {
                try extract(Crafted(names: ["../\u{1B}[2J"]).bytes, in: folder)
            }
            #expect(error?.entry == "../\u{1B}[2J")
            #expect(error?.path == "\(folder)/a.zip")
            let expected = #"unsafe-name: entry "../\u{1B}[2J": "\#(folder)/a.zip": a control character in the name"#
            #expect(error?.description == expected)
        }
    }

    private func expectRefusal(
        _ code: ZipError.Code, _ crafted: Crafted, at location: SourceLocation = #_sourceLocation
    ) throws {
        try withTemporaryFolder { folder in
            let error = #expect(throws: ZipError.self, sourceLocation: location) {
                try extract(crafted.bytes, in: folder)
            }
            #expect(error?.code == code, "\(String(describing: error))", sourceLocation: location)
            let left = try tree(folder).keys.sorted()
            #expect(left == ["a.zip"], sourceLocation: location)
        }
    }
}
