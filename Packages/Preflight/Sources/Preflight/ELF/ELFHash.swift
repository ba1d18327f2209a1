import PluginCore

/// A library's hash table of symbol names, in the GNU or the System V format.
enum ELFHash: Sendable {
    case gnu(GNU)
    case systemV(SystemV)

    init(_ dynamic: ELFDynamic, in segments: ELFSegments) throws(ELFFlaw) {
        if let start = dynamic[.hashGNU] {
            self = .gnu(try GNU(try segments.mapped(at: start, "elfHashTable")))
        } else if let start = dynamic[.hash] {
            self = .systemV(try SystemV(try segments.mapped(at: start, "elfHashTable")))
        } else {
            throw .malformed("elfNoHashTable")
        }
    }

    /// The maximum number of symbols; the library of a whole compiler has some ten thousand.
    private static let limit = 1 << 20

    private static func require(atMost count: Int) throws(ELFFlaw) {
        guard count <= limit else { throw .excessive("elfHashTableTooLarge", limit: limit) }
    }

    /// The number of symbols.
    var symbolCount: Int {
        switch self {
        case .gnu(let table): table.symbolCount
        case .systemV(let table): table.symbolCount
        }
    }

    /// Returns the first result of a closure for the symbols whose name may be the given one.
    func first<R>(
        of name: SymbolName, _ work: ELFWork, _ match: (Int) throws(ELFFlaw) -> R?
    ) throws(ELFFlaw) -> R? {
        switch self {
        case .gnu(let table): try table.first(of: name.hashGNU, work, match)
        case .systemV(let table): try table.first(of: name.hashSystemV, work, match)
        }
    }
}

extension ELFHash {
    /// The GNU format: chains in the order of the symbols, and a Bloom filter that rejects most names.
    struct GNU: Sendable {
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
            else { throw .malformed("elfPartInconsistent", in: "elfHashTable") }
            try ELFHash.require(atMost: max(Int(bucketCount), Int(first)))
            (self.filter, self.shift, self.buckets, self.chains) = (filter, shift, buckets, chains)
            firstSymbol = Int(first)
            let starts: [UInt32] = buckets.records()
            guard starts.allSatisfy({ $0 == 0 || $0 >= first }) else {
                throw .malformed("elfPartInconsistent", in: "elfHashTable")
            }
            var last = Int(starts.max() ?? 0)
            guard last >= firstSymbol else {
                // No symbol is exported, and the others come before the first exported one.
                symbolCount = firstSymbol
                return
            }
            // The last chain ends with the last symbol, whose lowest bit is set.
            while let hash: UInt32 = chains.value(at: (last - firstSymbol) * 4) {
                last += 1
                try ELFHash.require(atMost: last)
                guard hash & 1 == 0 else {
                    symbolCount = last
                    return
                }
            }
            throw .malformed("elfHashTableNotTerminated")
        }

        func first<R>(
            of hash: UInt32, _ work: ELFWork, _ match: (Int) throws(ELFFlaw) -> R?
        ) throws(ELFFlaw) -> R? {
            let word = Int(hash / 64) & (filter.count / 8 - 1)
            guard let bits: UInt64 = filter.value(at: word * 8) else { return nil }
            let mask = UInt64(1) << UInt64(hash % 64) | UInt64(1) << UInt64((hash >> shift) % 64)
            guard bits & mask == mask,
                let start: UInt32 = buckets.value(at: Int(hash % UInt32(buckets.count / 4)) * 4)
            else { return nil }
            var index = Int(start)
            guard index >= firstSymbol else { return nil }
            while let found: UInt32 = chains.value(at: (index - firstSymbol) * 4) {
                try work.add(1, "elfHashTable")
                if found | 1 == hash | 1, let result = try match(index) { return result }
                if found & 1 == 1 { return nil }
                index += 1
            }
            return nil
        }
    }

    /// The System V format: buckets of linked chains.
    struct SystemV: Sendable {
        private let buckets: ByteView
        private let chains: ByteView
        var symbolCount: Int { chains.count / 4 }

        init(_ view: ByteView) throws(ELFFlaw) {
            guard let (bucketCount, chainCount): (UInt32, UInt32) = view.value(at: 0),
                let buckets = view.part(8, UInt64(bucketCount) * 4),
                let chains = view.part(8 + UInt64(buckets.count), UInt64(chainCount) * 4), bucketCount > 0
            else { throw .malformed("elfPartInconsistent", in: "elfHashTable") }
            try ELFHash.require(atMost: Int(max(bucketCount, chainCount)))
            (self.buckets, self.chains) = (buckets, chains)
            // Each symbol is in one chain, so more steps than symbols mean a circular chain.
            var steps = 0
            for var index: UInt32 in buckets.records() {
                while index != 0 {
                    steps += 1
                    guard steps <= Int(chainCount), let next: UInt32 = chains.value(at: Int(index) * 4) else {
                        throw .malformed("elfPartInconsistent", in: "elfHashTable")
                    }
                    index = next
                }
            }
        }

        func first<R>(
            of hash: UInt32, _ work: ELFWork, _ match: (Int) throws(ELFFlaw) -> R?
        ) throws(ELFFlaw) -> R? {
            guard var index: UInt32 = buckets.value(at: Int(hash % UInt32(buckets.count / 4)) * 4) else { return nil }
            // A circular chain is left after as many steps as there are symbols.
            for _ in 0..<symbolCount where index != 0 {
                try work.add(1, "elfHashTable")
                if let result = try match(Int(index)) { return result }
                guard let next: UInt32 = chains.value(at: Int(index) * 4) else { return nil }
                index = next
            }
            return nil
        }
    }
}
