import PluginCore

/// A library's hash table of symbol names, in the GNU or the System V format.
protocol ELFHash: Sendable {
    /// The number of symbols.
    var symbolCount: Int { get }

    /// Returns the indices of the symbols whose name may be the given one, in the order in which the loader tries them.
    func candidates(for name: SymbolName, _ work: ELFWork) throws(ELFFlaw) -> [Int]
}

extension ELFDynamic {
    /// Reads the hash table that the loader uses.
    func hash(in segments: ELFSegments) throws(ELFFlaw) -> any ELFHash {
        if let start = self[.hashGNU] { return try HashGNU(try segments.mapped(at: start, hashTable)) }
        if let start = self[.hash] { return try HashSystemV(try segments.mapped(at: start, hashTable)) }
        throw .malformed("elfNoHashTable")
    }
}

private let hashTable = "elfHashTable"

extension ELFFlaw {
    fileprivate static var hashTableInconsistent: ELFFlaw { .malformed("elfPartInconsistent", in: hashTable) }

    /// Throws an excess for more symbols than any library has; that of a whole compiler has some ten thousand.
    fileprivate static func checkSymbolCount(_ count: Int) throws(ELFFlaw) {
        let limit = 1 << 20
        if count > limit { throw .excessive(ErrorReason("elfHashTableTooLarge", ["limit": .integer(limit)])) }
    }
}

/// The GNU format: chains in the order of the symbols, and a Bloom filter that rejects most names.
private struct HashGNU: ELFHash {
    private let filter: ByteView
    private let shift: UInt32
    private let buckets: ByteView
    private let chains: ByteView
    private let firstSymbol: Int
    let symbolCount: Int

    init(_ view: ByteView) throws(ELFFlaw) {
        guard let (bucketCount, first, filterSize, shift): (UInt32, UInt32, UInt32, UInt32) = view.value(at: 0),
            let filter = view.part(16, UInt64(filterSize) * 8),
            let buckets = view.part(16 + UInt64(filter.count), UInt64(bucketCount) * 4),
            let chains = view.part(
                16 + UInt64(filter.count + buckets.count),
                UInt64(view.count - 16 - filter.count - buckets.count)),
            shift < 32, filterSize.nonzeroBitCount == 1, bucketCount > 0
        else { throw .hashTableInconsistent }
        try ELFFlaw.checkSymbolCount(max(Int(bucketCount), Int(first)))
        (self.filter, self.shift, self.buckets, self.chains) = (filter, shift, buckets, chains)
        firstSymbol = Int(first)
        let starts: [UInt32] = buckets.records()
        guard starts.allSatisfy({ $0 == 0 || $0 >= first }) else { throw .hashTableInconsistent }
        var last = Int(starts.max() ?? 0)
        guard last >= firstSymbol else {
            // No symbol is exported, and the others come before the first exported one.
            symbolCount = firstSymbol
            return
        }
        // The last chain ends with the last symbol, whose lowest bit is set.
        while let hash: UInt32 = chains.value(at: (last - firstSymbol) * 4) {
            last += 1
            try ELFFlaw.checkSymbolCount(last)
            guard hash & 1 == 0 else {
                symbolCount = last
                return
            }
        }
        throw .malformed("elfHashTableNotTerminated")
    }

    func candidates(for name: SymbolName, _ work: ELFWork) throws(ELFFlaw) -> [Int] {
        let hash = name.hashGNU
        let word = Int(hash / 64) & (filter.count / 8 - 1)
        guard let bits: UInt64 = filter.value(at: word * 8) else { return [] }
        let mask = UInt64(1) << UInt64(hash % 64) | UInt64(1) << UInt64((hash >> shift) % 64)
        guard bits & mask == mask,
            let start: UInt32 = buckets.value(at: Int(hash % UInt32(buckets.count / 4)) * 4)
        else { return [] }
        var (index, found) = (Int(start), [Int]())
        guard index >= firstSymbol else { return [] }
        while let other: UInt32 = chains.value(at: (index - firstSymbol) * 4) {
            try work.add(1, hashTable)
            if other | 1 == hash | 1 { found.append(index) }
            if other & 1 == 1 { break }
            index += 1
        }
        return found
    }
}

/// The System V format: buckets of linked chains.
private struct HashSystemV: ELFHash {
    private let buckets: ByteView
    private let chains: ByteView
    var symbolCount: Int { chains.count / 4 }

    init(_ view: ByteView) throws(ELFFlaw) {
        guard let (bucketCount, chainCount): (UInt32, UInt32) = view.value(at: 0),
            let buckets = view.part(8, UInt64(bucketCount) * 4),
            let chains = view.part(8 + UInt64(buckets.count), UInt64(chainCount) * 4), bucketCount > 0
        else { throw .hashTableInconsistent }
        try ELFFlaw.checkSymbolCount(Int(max(bucketCount, chainCount)))
        (self.buckets, self.chains) = (buckets, chains)
        // Each symbol is in one chain, so more steps than symbols mean a circular chain.
        var steps = 0
        for var index: UInt32 in buckets.records() {
            while index != 0 {
                steps += 1
                guard steps <= Int(chainCount), let next: UInt32 = chains.value(at: Int(index) * 4) else {
                    throw .hashTableInconsistent
                }
                index = next
            }
        }
    }

    func candidates(for name: SymbolName, _ work: ELFWork) throws(ELFFlaw) -> [Int] {
        let bucket = Int(name.hashSystemV % UInt32(buckets.count / 4))
        var (next, found): (UInt32?, [Int]) = (buckets.value(at: bucket * 4), [])
        // No chain is circular.
        while let index = next, index != 0 {
            try work.add(1, hashTable)
            found.append(Int(index))
            next = chains.value(at: Int(index) * 4)
        }
        return found
    }
}
