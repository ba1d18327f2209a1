import Testing

@testable import Zip

@Suite("ZIP64 archives", .tags(.medium))
struct Zip64Tests {
    /// A way to write two entries with unnecessarily long fields.
    struct Way: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout Crafted) -> Void

        init(_ name: String, _ change: @escaping @Sendable (inout Crafted) -> Void) {
            testDescription = name
            self.change = change
        }
    }

    static let ways: [Way] = [
        Way("an end record of its own, and the same in the short one") { $0.zip64 = .init() },
        Way("a count in the ZIP64 end record only") {
            $0.zip64 = .init()
            $0.editEnd = { ($0.entriesOnDisk, $0.entryCount) = (.max, .max) }
        },
        Way("all in the ZIP64 end record only") {
            $0.zip64 = .init()
            $0.editEnd = {
                $0 = EndRecord(
                    disk: .max, directoryDisk: .max, entriesOnDisk: .max, entryCount: .max, directorySize: .max,
                    directoryOffset: .max)
            }
        },
        Way("a comment behind it") {
            $0.zip64 = .init()
            $0.comment = Array("PK, says the comment".utf8)
        },
        Way("sizes in both extra fields") { $0.widen() },
        Way("sizes in the local extra field") { $0.widen(central: false) },
        Way("sizes in the directory's extra field") { $0.widen(local: false) },
        Way("one size in the directory's extra field") {
            $0.entries[0].central.extra = Crafted.zip64Field(4)
            $0.entries[0].central.uncompressedSize = .max
        },
        Way("an offset in the directory's extra field") {
            $0.entries[0].central.extra = Crafted.zip64Field(0)
            $0.entries[0].central.offset = .max
        },
        Way("the disk in the directory's extra field") {
            $0.entries[0].central.extra = Crafted.field(ExtraFields.zip64Tag, [0, 0, 0, 0])
            $0.entries[0].central.disk = .max
        },
        Way("one of two local sizes in the extra field") {
            $0.widen(central: false)
            $0.entries[0].local.compressedSize = 4
        },
        Way("a long data descriptor") { $0.stream(isZip64: true) },
        Way("a long data descriptor without signature") { $0.stream(isZip64: true, hasSignature: false) },
        Way("other extra fields around") {
            $0.widen()
            let other = Crafted.field(0x5455, [1, 0, 0, 0, 0])
            $0.entries[0].central.extra = other + $0.entries[0].central.extra + other
            $0.entries[0].localExtra = other + $0.entries[0].localExtra + other
        },
    ]

    @Test("ZIP64 values are read wherever they may occur", arguments: ways)
    func isRead(way: Way) throws {
        var crafted = Crafted(names: ["a", "b"])
        way.change(&crafted)
        let data = Array("data".utf8)
        try withTemporaryFolder { folder in
            let found = try extract(crafted.bytes, in: folder)
            #expect(found == ["a": data, "b": data])
        }
    }

    static let contradictions: [Refusal] = [
        .spoiled("a short record that refers to none", .malformed) { $0.editEnd = { $0.directoryOffset = .max } },
        .spoiled("a count that refers to none", .malformed) {
            $0.editEnd = { ($0.entriesOnDisk, $0.entryCount) = (.max, .max) }
        },
        .spoiled("another count in the short record", .headerMismatch) {
            $0.zip64 = .init()
            $0.editEnd = { ($0.entriesOnDisk, $0.entryCount) = (1, 1) }
        },
        .spoiled("another count in the long record", .headerMismatch) {
            $0.zip64 = .init(editRecord: { ($0.entriesOnDisk, $0.entryCount) = (1, 1) })
        },
        .spoiled("another offset in the short record", .headerMismatch) {
            $0.zip64 = .init()
            $0.editEnd = { $0.directoryOffset += 1 }
        },
        .spoiled("another size in the short record", .headerMismatch) {
            $0.zip64 = .init()
            $0.editEnd = { $0.directorySize += 1 }
        },
        .spoiled("an offset beyond all measure", .malformed) {
            $0.zip64 = .init(editRecord: { $0.directoryOffset = .max })
            $0.editEnd = { $0.directoryOffset = .max }
        },
        .spoiled("a size beyond all measure", .malformed) {
            $0.zip64 = .init(editRecord: { $0.directorySize = .max })
            $0.editEnd = { $0.directorySize = .max }
        },
        .spoiled("size and offset that overflow to the right place", .malformed) {
            $0.zip64 = .init(editRecord: {
                let end = $0.directoryOffset + $0.directorySize
                $0.directorySize = .max
                $0.directoryOffset = end + 1
            })
            $0.editEnd = { ($0.directoryOffset, $0.directorySize) = (.max, .max) }
        },
        .spoiled("a count beyond all measure", .malformed) {
            $0.zip64 = .init(editRecord: { ($0.entriesOnDisk, $0.entryCount) = (.max, .max) })
            $0.editEnd = { ($0.entriesOnDisk, $0.entryCount) = (.max, .max) }
        },
        .spoiled("a count that is 65,536 too high", .malformed) {
            $0.zip64 = .init(editRecord: { ($0.entriesOnDisk, $0.entryCount) = (65_538, 65_538) })
            $0.editEnd = { ($0.entriesOnDisk, $0.entryCount) = (.max, .max) }
        },
        .spoiled("a locator that points elsewhere", .malformed) {
            $0.zip64 = .init(editLocator: { $0.recordOffset -= 1 })
        },
        .spoiled("a locator that points out of the file", .malformed) {
            $0.zip64 = .init(editLocator: { $0.recordOffset = .max })
        },
        .spoiled("bytes between the record and its locator", .malformed) {
            $0.zip64 = .init(beforeLocator: [0])
        },
        .spoiled("bytes between the locator and the end record", .malformed) { $0.zip64 = .init(beforeEnd: [0]) },
        .spoiled("bytes between the directory and the record", .malformed) { $0.zip64 = .init(beforeRecord: [0]) },
        .spoiled("a record of another length", .malformed) { $0.zip64 = .init(editRecord: { $0.restSize = 43 }) },
        .spoiled("a locator on another disk", .unsupported) { $0.zip64 = .init(editLocator: { $0.disk = 1 }) },
        .spoiled("a locator for several disks", .unsupported) { $0.zip64 = .init(editLocator: { $0.diskCount = 2 }) },
        .spoiled("a record on another disk", .unsupported) { $0.zip64 = .init(editRecord: { $0.disk = 1 }) },
        .spoiled("a directory on another disk", .unsupported) {
            $0.zip64 = .init(editRecord: { $0.directoryDisk = 1 })
        },
        .spoiled("entries on several disks", .unsupported) { $0.zip64 = .init(editRecord: { $0.entriesOnDisk = 1 }) },
        .spoiled("a locator that is an entry's comment", .malformed) {
            var locator: [UInt8] = []
            Zip64Locator(recordOffset: 0).append(to: &locator)
            $0.entries[1].central.comment = locator
        },
        .spoiled("a size that refers to no field", .malformed) { $0.edit { $0.uncompressedSize = .max } },
        .spoiled("an offset that refers to no field", .malformed) { $0.entries[0].central.offset = .max },
        .spoiled("a local size that refers to no field", .malformed) { $0.entries[0].local.compressedSize = .max },
        .spoiled("a field that nothing refers to", .malformed) {
            $0.entries[0].central.extra = Crafted.zip64Field(4, 4)
        },
        .spoiled("an empty field that nothing refers to", .malformed) {
            $0.entries[0].central.extra = Crafted.zip64Field()
        },
        .spoiled("a local field that nothing refers to", .malformed) {
            $0.entries[0].localExtra = Crafted.zip64Field(4, 4)
        },
        .spoiled("a field with a value too many", .malformed) {
            $0.widen()
            $0.entries[0].central.extra = Crafted.zip64Field(4, 4, 0)
        },
        .spoiled("a field with a value too few", .malformed) {
            $0.widen()
            $0.entries[0].central.extra = Crafted.zip64Field(4)
        },
        .spoiled("a local field with a value too few", .malformed) {
            $0.widen()
            $0.entries[0].localExtra = Crafted.zip64Field(4)
        },
        .spoiled("two fields", .malformed) {
            $0.widen()
            $0.entries[0].central.extra += Crafted.zip64Field(5, 5)
        },
        .spoiled("another size in the local field", .headerMismatch) {
            $0.widen()
            $0.entries[0].localExtra = Crafted.zip64Field(5, 5)
        },
        .spoiled("another size in the local header than in its field", .headerMismatch) {
            $0.widen(central: false)
            $0.entries[0].local.compressedSize = 5
        },
        .spoiled("sizes of which the low half is right", .malformed) {
            $0.widen()
            let field = Crafted.zip64Field(1 << 32 | 4, 1 << 32 | 4)
            $0.entries[0].central.extra = field
            $0.entries[0].localExtra = field
        },
        .spoiled("a size that makes the data's end overflow", .malformed) {
            $0.widen()
            $0.entries[0].central.extra = Crafted.zip64Field(.max - 20, .max - 20)
            $0.entries[0].localExtra = $0.entries[0].central.extra
        },
        .spoiled("an offset beyond all measure", .malformed) {
            $0.entries[1].central.extra = Crafted.zip64Field(.max)
            $0.entries[1].central.offset = 0 &- UInt32(LocalHeader.size + 5 + 1)
        },
        .spoiled("another disk in the field", .unsupported) {
            $0.entries[0].central.extra = Crafted.field(ExtraFields.zip64Tag, [1, 0, 0, 0])
            $0.entries[0].central.disk = .max
        },
        .spoiled("a short data descriptor where a long one is due", .malformed) {
            $0.stream(isZip64: true)
            $0.entries[0].trailer = Crafted.descriptor($0.entries[0].central)
        },
        .spoiled("a long data descriptor where a short one is due", .malformed) {
            $0.stream()
            $0.entries[0].trailer = Crafted.descriptor($0.entries[0].central, isZip64: true)
        },
    ]

    @Test("Contradictory values are rejected", arguments: contradictions)
    func isRefused(row: Refusal) throws {
        try expectRefusal(row.code, row.make())
    }

    @Test("A total size that overflows exceeds every limit")
    func total() throws {
        var crafted = Crafted(names: ["a", "b", "c"])
        for index in 0..<3 {
            crafted.edit(index) { $0.method = 8 }
            crafted.widen(index)
            crafted.entries[index].central.extra = Crafted.zip64Field(1 << 63, 1 << 62)
        }
        try withTemporaryFolder { folder in
            let limits = ZipLimits(totalUncompressedSize: .max - 1)
            let error = #expect(throws: ZipError.self) { try extract(crafted.bytes, in: folder, limits: limits) }
            #expect(error?.code == .limitExceeded)
        }
    }

    @Test("An archive of more than 4 GiB is read, including entries at the end")
    func beyondFourGiB() throws {
        try withTemporaryFolder { folder in
            let size: UInt64 = 5 << 30
            // The file has a hole, which reads as zeros.
            try writeHole(in: "\(folder)/a.zip", size: size, after: Self.bigHead(size), tail: Self.bigTail(size))
            let archive = try ZipArchive(path: "\(folder)/a.zip")
            #expect(archive.entries.map(\.uncompressedSize) == [size, 4])
            #expect(archive.totalUncompressedSize == size + 4)
            #expect(try archive.contents(of: "b", limit: 4) == Array("data".utf8))
            #expect(
                #expect(throws: ZipError.self) { try archive.contents(of: "a", limit: 1 << 20) }?.code == .limitExceeded
            )
        }
    }

    private static func bigEntries(_ size: UInt64) -> Crafted {
        var crafted = Crafted(names: ["a", "b"])
        let field = Crafted.zip64Field(size, size)
        crafted.widen()
        crafted.entries[0].central.extra = field
        crafted.entries[0].localExtra = field
        return crafted
    }

    private static func bigHead(_ size: UInt64) -> [UInt8] {
        let first = bigEntries(size).entries[0]
        var bytes: [UInt8] = []
        var local = first.local
        local.extraSize = UInt16(first.localExtra.count)
        local.append(to: &bytes)
        return bytes + first.localName + first.localExtra
    }

    private static func bigTail(_ size: UInt64) -> [UInt8] {
        let first = bigEntries(size).entries[0]
        var second = bigEntries(size).entries[1]
        let offset = UInt64(bigHead(size).count) + size
        var bytes: [UInt8] = []
        second.local.append(to: &bytes)
        bytes += second.localName + second.data
        let directoryOffset = offset + UInt64(bytes.count)
        var directory: [UInt8] = []
        first.central.append(to: &directory)
        second.central.offset = .max
        second.central.extra = Crafted.zip64Field(offset)
        second.central.append(to: &directory)
        bytes += directory
        Zip64EndRecord(
            entriesOnDisk: 2, entryCount: 2, directorySize: UInt64(directory.count), directoryOffset: directoryOffset
        ).append(to: &bytes)
        Zip64Locator(recordOffset: directoryOffset + UInt64(directory.count)).append(to: &bytes)
        EndRecord(
            entriesOnDisk: 2, entryCount: 2, directorySize: UInt32(directory.count), directoryOffset: .max
        ).append(to: &bytes)
        return bytes
    }
}
