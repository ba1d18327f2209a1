import CELF
import PluginCore

/// The symbol versions that a library needs of others and those that it defines (Linux Standard Base, "Symbol Versioning").
struct ELFVersions {
    /// The versions that it needs, by library.
    private(set) var needed: [(library: String, versions: [String])] = []
    private(set) var defined: Set<String> = []
    /// The highest version index.
    private(set) var highest: UInt16 = 0

    init(_ dynamic: ELFDynamic, in segments: ELFSegments) throws(ELFFlaw) {
        var reader = EntryReader(texts: dynamic.texts)
        if let start = dynamic[DT_VERNEED] {
            let table = try segments.mapped(at: start, "elfRequiredVersions")
            let needs = try reader.entries(Elf64_Verneed.self, \.vn_next, in: table, dynamic[DT_VERNEEDNUM])
            for (place, need) in needs {
                guard need.vn_version == VER_NEED_CURRENT else { throw EntryReader.flaw }
                var versions: [String] = []
                let list = try reader.entries(
                    Elf64_Vernaux.self, \.vna_next, in: table, UInt64(need.vn_cnt), from: place + Int(need.vn_aux))
                for (_, version) in list {
                    highest = max(highest, version.vna_other & 0x7FFF)
                    let name = try reader.text(version.vna_name)
                    // The loader compares versions by hash.
                    guard Self.hash(name) == version.vna_hash else { throw EntryReader.flaw }
                    // A weak version may be missing.
                    if Int32(version.vna_flags) & VER_FLG_WEAK == 0 { versions.append(name) }
                }
                needed.append((try reader.text(need.vn_file), versions))
            }
        }
        if let start = dynamic[DT_VERDEF] {
            let table = try segments.mapped(at: start, "elfVersions")
            let entries = try reader.entries(Elf64_Verdef.self, \.vd_next, in: table, dynamic[DT_VERDEFNUM])
            for (place, version) in entries {
                guard version.vd_version == VER_DEF_CURRENT,
                    let name: UInt32 = table.value(at: place + Int(version.vd_aux))
                else { throw EntryReader.flaw }
                highest = max(highest, version.vd_ndx & 0x7FFF)
                defined.insert(try reader.text(name))
            }
        }
    }

    private static func hash(_ version: String) -> UInt32 {
        version.utf8.reduce(0) { hash, byte in
            let next = hash << 4 &+ UInt32(byte)
            return (next ^ (next & 0xF000_0000) >> 24) & 0x0FFF_FFFF
        }
    }

    /// A reader of linked entries, each of which has the distance to the next.
    private struct EntryReader {
        let texts: ByteView
        /// The number of entries that may still be read.
        private var budget = 8192
        /// The maximum total length of the names, in bytes.
        private static let textLimit = 1 << 20
        private var textSize = 0

        init(texts: ByteView) { self.texts = texts }

        static var flaw: ELFFlaw { .malformed("elfVersionsInconsistent") }

        /// Returns the entries with their offsets, up to the count or to an entry with distance 0.
        mutating func entries<Entry: BitwiseCopyable>(
            _: Entry.Type, _ distance: KeyPath<Entry, UInt32>, in table: ByteView, _ count: UInt64?, from start: Int = 0
        ) throws(ELFFlaw) -> [(place: Int, entry: Entry)] {
            guard let count, count <= UInt64(budget) else { throw Self.flaw }
            budget -= Int(count)
            var (entries, place) = ([(place: Int, entry: Entry)](), start)
            for _ in 0..<count {
                guard let entry: Entry = table.value(at: place) else { throw Self.flaw }
                entries.append((place, entry))
                // The loader stops here, regardless of the count.
                if entry[keyPath: distance] == 0 { return entries }
                place += Int(entry[keyPath: distance])
            }
            throw Self.flaw
        }

        mutating func text(_ offset: UInt32) throws(ELFFlaw) -> String {
            guard let text = texts.text(at: Int(offset), limit: 4096) else { throw Self.flaw }
            textSize += text.count
            guard textSize <= Self.textLimit else {
                throw .excessive(ErrorReason("elfVersionNamesTooLong", ["limit": .integer(Self.textLimit)]))
            }
            return text.string
        }
    }
}
