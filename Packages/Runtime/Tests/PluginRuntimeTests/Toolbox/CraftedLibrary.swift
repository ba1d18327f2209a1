import Preflight

/// An ELF library that consists only of tables, in forms that no linker writes.
struct CraftedLibrary {
    /// The string table; its first byte terminates the empty name.
    var texts: [UInt8] = [0]
    /// The offsets of the symbol names in the string table.
    ///
    /// All symbols are defined and share one chain of the hash table.
    var names: [Int] = []
    /// The number of symbols that the hash table lists but the symbol table lacks.
    var missingSymbols = 0
    /// The number of packed relocation words, each of which requests 63 relocations.
    var packed = 0
    /// The number of program headers of type null.
    var emptyHeaders = 0

    private static let page = 4096

    var bytes: [UInt8] {
        var body: [UInt8] = []
        let start = 64 + 56 * (4 + emptyHeaders)
        /// Appends a table and returns its file offset.
        func add(_ table: [UInt8]) -> UInt64 {
            defer { body += table + [UInt8](repeating: 0, count: -table.count & 7) }
            return UInt64(start + body.count)
        }
        let texts = add(texts + [0])
        let symbols = add(Self.words(0, 0, 0) + names.flatMap { Self.words(UInt64($0) | 0x1_0011 << 32, 0, 0) })
        let hashes = Dictionary(
            uniqueKeysWithValues: Set(names).map { [texts = self.texts] name in
                (name, texts[name...].prefix { $0 != 0 }.reduce(5381) { $0 &* 33 &+ UInt32($1) })
            })
        let chain = names.enumerated().map { hashes[$1, default: 0] & ~1 | ($0 == names.count - 1 ? 1 : 0) }
        let table = [1, UInt32(missingSymbols + 1), 1, 0, .max, .max, names.isEmpty ? 0 : 1] + chain
        let hash = add(Self.halves(table))
        let (end, memory) = (Self.pages(start + body.count + 8 * packed), 512 * packed + 2 * Self.page)
        var relocations: [UInt8] = []
        if packed > 0 {
            relocations =
                Self.words(UInt64(end + Self.page)) + [UInt8](repeating: 0xFF, count: 8 * (packed - 1))
        }
        let packedStart = add(relocations)
        var dynamic = Self.words(5, texts, 10, UInt64(self.texts.count + 1), 6, symbols, 0x6FFF_FEF5, hash)
        if packed > 0 { dynamic += Self.words(36, packedStart, 35, UInt64(8 * packed), 37, 8) }
        dynamic += Self.words(0, 0)
        let (size, place) = (UInt64(dynamic.count), UInt64(end))
        let headers =
            Self.words(1 | 4 << 32, 0, 0, 0, place, place, UInt64(Self.page))
            + Self.words(1 | 6 << 32, place, place, place, size, UInt64(memory), UInt64(Self.page))
            + Self.words(0x6474_E551 | 6 << 32, 0, 0, 0, 0, 0, 16)
            + Self.words(2 | 6 << 32, place, place, place, size, size, 8)
            + [UInt8](repeating: 0, count: 56 * emptyHeaders)
        let library = header + headers + body
        return library + [UInt8](repeating: 0, count: end - library.count) + dynamic
    }

    private var header: [UInt8] {
        #if arch(arm64)
            let machine: UInt64 = 183
        #else
            let machine: UInt64 = 62
        #endif
        let sizes = UInt64(64) << 32 | 56 << 48
        return [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1] + [UInt8](repeating: 0, count: 9)
            + Self.words(3 | machine << 16 | 1 << 32, 0, 64, 0, sizes, UInt64(4 + emptyHeaders) | 64 << 16)
    }

    private static func pages(_ size: Int) -> Int { (size + page - 1) / page * page }

    private static func words(_ words: UInt64...) -> [UInt8] {
        words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * UInt64($0))) } }
    }

    private static func halves(_ halves: [UInt32]) -> [UInt8] {
        halves.flatMap { half in (0..<4).map { UInt8(truncatingIfNeeded: half >> (8 * UInt32($0))) } }
    }
}

extension LibraryPreflight {
    static func validate(_ library: some Collection<UInt8>) -> LibraryReport {
        validate(library, named: "libSample.so")
    }
}
