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
        .spoiled("a size that refers to no field", .malformed) { $0.edit { $0.uncompressedSize = .max } },
        .spoiled("an offset that refers to no field", .malformed) { $0.entries[0].central.offset = .max },
        .spoiled("a local size that refers to no field", .malformed) { $0.entries[0].local.compressedSize = .max },
        .entry("a field that nothing refers to", .malformed) { $0.central.extra = Crafted.zip64Field(4, 4) },
        .entry("an empty field that nothing refers to", .malformed) { $0.central.extra = Crafted.zip64Field() },
        .entry("a local field that nothing refers to", .malformed) { $0.localExtra = Crafted.zip64Field(4, 4) },
        .spoiled("a field with a value too many", .malformed) {
            $0.widen()
            $0.entries[0].central.extra = Crafted.zip64Field(4, 4, 0)
        },
        .entry("a field with a value too few", .malformed, isWide: true) { $0.central.extra = Crafted.zip64Field(4) },
        .spoiled("a local field with a value too few", .malformed) {
            $0.widen()
            $0.entries[0].localExtra = Crafted.zip64Field(4)
        },
        .entry("two fields", .malformed, isWide: true) { $0.central.extra += Crafted.zip64Field(5, 5) },
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
            #expect(errorCode { try extract(crafted.bytes, in: folder, limits: limits) } == .limitExceeded)
        }
    }
}
