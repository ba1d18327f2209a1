import CELF
import PluginCore
import Processes

/// The symbol table of a library: the names that it exports and those that it imports.
struct ELFSymbols {
    private static let entrySize = MemoryLayout<Elf64_Sym>.size
    /// The maximum length of a name, in bytes; the longest of Swift's own libraries has 811.
    private static let nameLimit = 4096

    private let table: ByteView
    private let texts: ByteView
    private let hash: ELFHash
    /// The number of symbols, including the empty one at index 0.
    let count: Int

    init(_ dynamic: ELFDynamic, in segments: ELFSegments) throws(ELFFlaw) {
        guard let start = dynamic[DT_SYMTAB] else { throw .malformed("elfNoSymbolTable") }
        hash = try ELFHash(dynamic, in: segments)
        let rest = try segments.mapped(at: start, "elfSymbolTable")
        guard let table = rest.part(0, UInt64(hash.symbolCount) * UInt64(Self.entrySize)) else {
            throw .malformed("elfSymbolTableShort")
        }
        (self.table, texts, count) = (table, dynamic.texts, hash.symbolCount)
    }

    /// Returns the symbol at an index.
    ///
    /// - Returns: `nil` beyond the end.
    subscript(index: Int) -> Elf64_Sym? {
        index < count ? table.value(at: index * Self.entrySize) : nil
    }

    /// Returns the symbol that the library exports under a name.
    func exported(_ name: SymbolName, _ work: ELFWork) throws(ELFFlaw) -> Elf64_Sym? {
        try work.add(1, "elfSymbolNames")
        for index in try hash.candidates(for: name, work) {
            if let symbol = self[index], symbol.isExported, try isName(of: symbol, name.text, work) { return symbol }
        }
        return nil
    }

    /// Compares a symbol's name, without reading further than the length of the given name.
    private func isName(of symbol: Elf64_Sym, _ name: ByteView, _ work: ELFWork) throws(ELFFlaw) -> Bool {
        guard let rest = texts.part(UInt64(symbol.st_name), UInt64(name.count) + 1)?.bytes else { return false }
        let (name, count) = (name.bytes, name.count)
        var same = 0
        while same < count, rest[same] == name[same] { same += 1 }
        try work.add(same, "elfSymbolNames")
        return same == count && rest[same] == 0
    }

    private func name(of index: Int, _ symbol: Elf64_Sym) throws(ELFFlaw) -> SymbolName {
        let start = Int(symbol.st_name)
        if let text = texts.text(at: start, limit: Self.nameLimit) { return SymbolName(text) }
        guard start < texts.count, texts.count - start > Self.nameLimit else {
            throw .malformed(ErrorReason("elfSymbolNameOutside", ["index": .integer(index)]))
        }
        throw .excessive(
            ErrorReason("elfSymbolNameTooLong", ["index": .integer(index), "limit": .integer(Self.nameLimit)]))
    }

    /// Calls a closure with all symbols and their names.
    ///
    /// The names of an untrusted file may overlap, so that reading them all could take very long; the work is limited therefore.
    func forEach(_ work: ELFWork, _ body: (Elf64_Sym, SymbolName) throws(ELFFlaw) -> Void) throws(ELFFlaw) {
        for index in 1..<max(count, 1) {
            guard let symbol = self[index] else { return }
            let name = try name(of: index, symbol)
            try work.add(name.text.count, "elfSymbolNames")
            try body(symbol, name)
        }
    }
}

extension Elf64_Sym {
    private var binding: Int32 { Int32(st_info >> 4) }
    private var kind: Int32 { Int32(st_info & 15) }
    private var visibility: Int32 { Int32(st_other & 3) }

    var isDefined: Bool { st_shndx != SHN_UNDEF }
    /// A Boolean value that indicates whether other libraries can find the symbol: it is global, weak or unique, and not hidden.
    var isExported: Bool { isDefined && binding != STB_LOCAL && [STV_DEFAULT, STV_PROTECTED].contains(visibility) }
    /// A Boolean value that indicates whether another library must define the symbol before the library can be loaded.
    var isWanted: Bool { !isDefined && binding == STB_GLOBAL }
    var isFunction: Bool { kind == STT_FUNC }
    /// A Boolean value that indicates whether the symbol is thread-local.
    var isOfThreads: Bool { kind == STT_TLS }
    /// A Boolean value that indicates whether the symbol is indirect: its value is a resolver function that the loader calls.
    var isChosen: Bool { isDefined && kind == STT_GNU_IFUNC }
}

/// A symbol's name with its hash.
struct SymbolName {
    let text: ByteView
    let hash: UInt32

    init(_ text: ByteView) {
        self.text = text
        var hash: UInt32 = 5381
        // All bytes of all names go through this loop; in a debug build, an iterator takes many times as long.
        let (bytes, count) = (text.bytes, text.count)
        var index = 0
        while index < count {
            hash = hash &* 33 &+ UInt32(bytes[index])
            index += 1
        }
        self.hash = hash
    }

    init(_ text: String) {
        self.init(ByteView(MappedFile(copying: Array(text.utf8))))
    }
}

/// A library's hash table of symbol names in the GNU format: chains in the order of the symbols, and a Bloom filter that rejects most names.
struct ELFHash {
    private static let part = "elfHashTable"

    private let filter: ByteView
    private let shift: UInt32
    private let buckets: ByteView
    private let chains: ByteView
    private let firstSymbol: Int
    /// The number of symbols.
    let symbolCount: Int

    init(_ dynamic: ELFDynamic, in segments: ELFSegments) throws(ELFFlaw) {
        guard let start = dynamic[DT_GNU_HASH] else { throw .malformed("elfNoHashTable") }
        let view = try segments.mapped(at: start, Self.part)
        guard let (bucketCount, first, filterSize, shift): (UInt32, UInt32, UInt32, UInt32) = view.value(at: 0),
            let filter = view.part(16, UInt64(filterSize) * 8),
            let buckets = view.part(16 + UInt64(filter.count), UInt64(bucketCount) * 4),
            let chains = view.part(
                16 + UInt64(filter.count + buckets.count),
                UInt64(view.count - 16 - filter.count - buckets.count)),
            shift < 32, filterSize.nonzeroBitCount == 1, bucketCount > 0
        else { throw Self.inconsistent }
        try Self.checkSymbolCount(max(Int(bucketCount), Int(first)))
        (self.filter, self.shift, self.buckets, self.chains) = (filter, shift, buckets, chains)
        firstSymbol = Int(first)
        let starts: [UInt32] = buckets.records()
        guard starts.allSatisfy({ $0 == 0 || $0 >= first }) else { throw Self.inconsistent }
        var last = Int(starts.max() ?? 0)
        guard last >= firstSymbol else {
            // No symbol is exported, and the others come before the first exported one.
            symbolCount = firstSymbol
            return
        }
        // The last chain ends with the last symbol, whose lowest bit is set.
        while let hash: UInt32 = chains.value(at: (last - firstSymbol) * 4) {
            last += 1
            try Self.checkSymbolCount(last)
            guard hash & 1 == 0 else {
                symbolCount = last
                return
            }
        }
        throw .malformed("elfHashTableNotTerminated")
    }

    private static var inconsistent: ELFFlaw { .malformed("elfPartInconsistent", in: part) }

    /// Throws an excess for more symbols than any library has; that of a whole compiler has some ten thousand.
    private static func checkSymbolCount(_ count: Int) throws(ELFFlaw) {
        let limit = 1 << 20
        if count > limit { throw .excessive(ErrorReason("elfHashTableTooLarge", ["limit": .integer(limit)])) }
    }

    /// Returns the indices of the symbols whose name may be the given one, in the order in which the loader tries them.
    func candidates(for name: SymbolName, _ work: ELFWork) throws(ELFFlaw) -> [Int] {
        let hash = name.hash
        let word = Int(hash / 64) & (filter.count / 8 - 1)
        guard let bits: UInt64 = filter.value(at: word * 8) else { return [] }
        let mask = UInt64(1) << UInt64(hash % 64) | UInt64(1) << UInt64((hash >> shift) % 64)
        guard bits & mask == mask,
            let start: UInt32 = buckets.value(at: Int(hash % UInt32(buckets.count / 4)) * 4)
        else { return [] }
        var (index, found) = (Int(start), [Int]())
        guard index >= firstSymbol else { return [] }
        while let other: UInt32 = chains.value(at: (index - firstSymbol) * 4) {
            try work.add(1, Self.part)
            if other | 1 == hash | 1 { found.append(index) }
            if other & 1 == 1 { break }
            index += 1
        }
        return found
    }
}
