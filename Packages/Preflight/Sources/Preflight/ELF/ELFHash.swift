import CELF
import PluginCore

/// A library's hash table of symbol names in the GNU format: chains in the order of the symbols, and a Bloom filter that rejects most names.
struct ELFHash: Sendable {
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
