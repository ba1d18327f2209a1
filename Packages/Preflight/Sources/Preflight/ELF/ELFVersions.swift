import PluginCore

/// The symbol versions that a library needs of others and those that it defines (Linux Standard Base, "Symbol Versioning").
struct ELFVersions: Sendable {
    /// The versions that it needs of one library.
    struct Need: Sendable {
        let library: String
        var versions: [String]
    }

    private(set) var needed: [Need] = []
    private(set) var defined: Set<String> = []
    /// The highest version index.
    private(set) var highest: UInt16 = 0

    init(_ dynamic: ELFDynamic, in segments: ELFSegments) throws(ELFFlaw) {
        var entries = Entries(texts: dynamic.texts)
        if let start = dynamic[.neededVersions] {
            let table = try segments.mapped(at: start, "elfRequiredVersions")
            for place in try entries.places(in: table, dynamic[.neededVersionCount], nextAt: 12) {
                guard let (form, count, name, list): (UInt16, UInt16, UInt32, UInt32) = table.value(at: place),
                    form == 1
                else { throw Entries.flaw }
                var need = Need(library: try entries.text(name), versions: [])
                for place in try entries.places(in: table, UInt64(count), from: place + Int(list), nextAt: 12) {
                    guard let (hash, flags, number, name): (UInt32, UInt16, UInt16, UInt32) = table.value(at: place)
                    else { throw Entries.flaw }
                    highest = max(highest, number & 0x7FFF)
                    let version = try entries.text(name)
                    // The loader compares versions by hash.
                    guard Self.hash(version) == hash else { throw Entries.flaw }
                    // A weak version may be missing.
                    if flags & 2 == 0 { need.versions.append(version) }
                }
                needed.append(need)
            }
        }
        if let start = dynamic[.versions] {
            let table = try segments.mapped(at: start, "elfVersions")
            for place in try entries.places(in: table, dynamic[.versionCount], nextAt: 16) {
                guard let (form, _, number, _): (UInt16, UInt16, UInt16, UInt16) = table.value(at: place), form == 1,
                    let list: UInt32 = table.value(at: place + 12),
                    let name: UInt32 = table.value(at: place + Int(list))
                else { throw Entries.flaw }
                highest = max(highest, number & 0x7FFF)
                defined.insert(try entries.text(name))
            }
        }
    }
}

extension ELFVersions {
    private static func hash(_ version: String) -> UInt32 {
        version.utf8.reduce(0) { hash, byte in
            let next = hash << 4 &+ UInt32(byte)
            return (next ^ (next & 0xF000_0000) >> 24) & 0x0FFF_FFFF
        }
    }

    /// A reader of linked entries, each of which has the distance to the next.
    private struct Entries {
        let texts: ByteView
        /// The number of entries that may still be read.
        private var budget = 8192
        /// The maximum total length of the names, in bytes.
        private static let textLimit = 1 << 20
        private var textSize = 0

        init(texts: ByteView) { self.texts = texts }

        static var flaw: ELFFlaw { .malformed("elfVersionsInconsistent") }

        /// Returns the offsets of the entries, up to the count or to an entry with distance 0.
        mutating func places(
            in table: ByteView, _ count: UInt64?, from start: Int = 0, nextAt offset: Int
        ) throws(ELFFlaw) -> [Int] {
            guard let count, count <= UInt64(budget) else { throw Self.flaw }
            budget -= Int(count)
            var (places, place) = ([Int](), start)
            for _ in 0..<count {
                guard let next: UInt32 = table.value(at: place + offset) else { throw Self.flaw }
                places.append(place)
                // The loader stops here, regardless of the count.
                if next == 0 { return places }
                place += Int(next)
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
