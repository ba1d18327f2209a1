import Testing
import ZipWriting

@testable import Zip

/// Archives from which common tools extract different trees.
///
/// There is at least one for each class of "My ZIP isn't your ZIP" (You et al., USENIX Security 2025).
@Suite("Ambiguous archives", .tags(.small))
struct AmbiguityTests {
    @Test("An archive that tools interpret differently is rejected", arguments: redundant + kinds + names + structures)
    func isRefused(row: Refusal) throws {
        try expectRefusal(row.code, row.make())
    }

    /// A1 to A5: contradictions between directory and local header.
    static let redundant: [Refusal] = [
        .entry("A1: stored by its local header, deflated by the directory", .headerMismatch) { $0.central.method = 8 },
        .entry("A1: deflated by its local header, stored by the directory", .headerMismatch) { $0.local.method = 8 },
        .entry("A2: a shorter size in the local header", .headerMismatch) { $0.local.uncompressedSize = 2 },
        .spoiled("A2: a shorter size in the data descriptor", .headerMismatch) {
            $0.stream()
            var other = $0.entries[0].central
            other.compressedSize = 2
            $0.entries[0].trailer = Crafted.descriptor(other)
        },
        .spoiled("A2: sizes in ZIP64 fields", .unsupported) { $0.widen() },
        .spoiled("A2: sizes in the local ZIP64 field", .headerMismatch) { $0.widen(central: false) },
        .entry("A2: sizes that are left to a ZIP64 field", .unsupported) { $0.central.uncompressedSize = .max },
        .entry("A2: an offset that is left to a ZIP64 field", .unsupported) { $0.central.offset = .max },
        .entry("A3: another name in the local header", .headerMismatch) { $0.localName = Array("c".utf8) },
        .spoiled("A3: another name in the Unicode path", .unsafeName) {
            $0.entries[0].central.extra = Crafted.unicodePath("c", beside: "a")
        },
        Refusal("A4: a folder by its last character, which is a backslash", .unsafeName) {
            Crafted([(Array("test\\".utf8), [])])
        },
        Refusal("A4: a folder with a content", .malformed) { Crafted([(Array("test/".utf8), [1])]) },
        .spoiled("A4: a folder by its attributes, a file by its name", .malformed) {
            $0.edit { $0.externalAttributes = 0x10 }
        },
        .entry("A5: encrypted by its local header", .headerMismatch) { $0.local.flags = .encrypted },
        .spoiled("A5: encrypted by the directory", .unsupported) { $0.entries[0].central.flags = .encrypted },
    ]

    /// Entries that some readers turn into links, read with other sizes, or skip.
    static let kinds: [Refusal] =
        [0x0001, 0x756E, 0x6C78, 0x000D, 0x9901, 0x4453].flatMap { (tag: UInt16) -> [Refusal] in
            let field = [UInt8(truncatingIfNeeded: tag), UInt8(tag >> 8), 1, 0, 5]
            return [
                .spoiled("an extra field 0x\(String(tag, radix: 16)) in the local header", .unsupported) {
                    $0.entries[0].localExtra = field
                },
                .spoiled("an extra field 0x\(String(tag, radix: 16)) in the directory", .unsupported) {
                    $0.entries[0].central.extra = field
                },
            ]
        } + [
            .spoiled("a volume's label", .specialFile) { $0.edit { $0.externalAttributes = 0x08 } },
            .spoiled("a device of MS-DOS", .specialFile) { $0.edit { $0.externalAttributes = 0x40 } },
        ]

    /// B1 to B4: ambiguous names. `RefusalTests` has more of those that are not plain relative paths.
    static let names: [Refusal] = [
        Refusal("B1: one name twice", .nameClash) { Crafted(names: ["a", "a"]) },
        Refusal("B2: a character that some file systems do not take", .unsafeName) { Crafted(names: ["a\u{1}b"]) },
        Refusal("B3: a name that leads up and down again", .unsafeName) { Crafted(names: ["a/b", "c/../a/b"]) },
        Refusal("B3: a name with a dot in front", .nameClash) { Crafted(names: ["a/b", "./a/b"]) },
        Refusal("content of the archive's own folder", .malformed) {
            var archive = Crafted(names: ["./", "a"])
            archive.edit { ($0.crc32, $0.method) = (0x1234_5678, 8) }
            return archive
        },
        Refusal("bytes of the archive's own folder that make no content", .malformed) {
            var archive = Crafted(names: ["./", "a"])
            archive.edit { ($0.method, $0.compressedSize) = (8, 4) }
            archive.entries[0].data = Array("junk".utf8)
            return archive
        },
        Refusal("a name that ends as a version does on VMS", .unsafeName) { Crafted(names: ["lib.so", "lib.so;1"]) },
        Refusal("a folder that ends so", .unsafeName) { Crafted(names: ["lib;12/a"]) },
        Refusal("B4: one name in two cases", .nameClash) { Crafted(names: ["test.txt", "TEST.TXT"]) },
    ]

    private static let locator: [UInt8] = [0x50, 0x4B, 6, 7] + [UInt8](repeating: 0, count: 16)

    /// C1 to C5: ambiguous location and content of the directory.
    static let structures: [Refusal] = [
        .spoiled("C1: an entry that the directory does not list", .malformed) {
            var hidden: [UInt8] = []
            $0.entries[0].local.append(to: &hidden)
            $0.entries[0].trailer = hidden + Array("cdata".utf8)
        },
        .spoiled("C1: an entry in the place of the data descriptor", .malformed) {
            $0.stream()
            var hidden = $0.entries[0].trailer
            $0.entries[1].local.append(to: &hidden)
            $0.entries[0].trailer += hidden + Array("cdata".utf8)
        },
        .spoiled("C1: an entry in the archive's comment", .malformed) {
            var inner = Crafted(names: ["c"])
            inner.prefix = []
            $0.comment = inner.bytes
        },
        .spoiled("C1: an entry in the data of another, which the directory lists as well", .malformed) {
            let inner = Crafted(names: ["c"])
            var local: [UInt8] = []
            inner.entries[0].local.append(to: &local)
            let data = local + Array("cdata".utf8)
            let outer = Crafted([(Array("a".utf8), data)])
            $0 = outer
            var second = inner.entries[0]
            second.central.offset = 0 &- UInt32(data.count)
            $0.entries.append(second)
        },
        .spoiled("C2: a comment that is longer than it says", .malformed) {
            $0.comment = [1, 2, 3, 4]
            $0.editEnd = { $0.commentSize = 2 }
        },
        .spoiled("C2: a comment that is shorter than it says", .malformed) {
            $0.comment = [1, 2, 3, 4]
            $0.editEnd = { $0.commentSize = 6 }
        },
        .spoiled("C2: a comment with an end record of its own", .malformed) { $0.comment = Crafted(names: []).bytes },
        .spoiled("C3: fewer entries by the end record's count", .malformed) {
            $0.editEnd = { ($0.entriesOnDisk, $0.entryCount) = (1, 1) }
        },
        .spoiled("C3: another count for the disk", .unsupported) { $0.editEnd = { $0.entriesOnDisk = 1 } },
        .spoiled("C3: no entries by the end record's count", .malformed) {
            $0.editEnd = { ($0.entriesOnDisk, $0.entryCount) = (0, 0) }
        },
        .spoiled("C4: a second directory before the one that ends at the end record", .malformed) {
            let other = Crafted(names: ["c"])
            $0.prefix = Array(other.bytes.dropLast(EndRecord.size))
        },
        .spoiled("C4: an offset that is not where the size leads to", .malformed) {
            $0.editEnd = { $0.directoryOffset = 0 }
        },
        .spoiled("C5: the locator of a ZIP64 end record", .unsupported) { $0.beforeEnd = locator },
        .spoiled("C5: such a locator in the comment of an entry", .unsupported) {
            $0.entries[1].central.comment = locator
        },
    ]
}
