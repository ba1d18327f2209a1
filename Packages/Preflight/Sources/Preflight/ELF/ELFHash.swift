import PluginCore

/// A library's hash table of symbol names, in the GNU or the System V format.
enum ELFHash: Sendable {
    case gnu(GNU)
    case systemV(SystemV)

    init(_ dynamic: ELFDynamic, in segments: ELFSegments) throws(ELFFlaw) {
        if let start = dynamic[.hashGNU] {
            self = .gnu(try GNU(try segments.mapped(at: start, ErrorReason("elfHashTable"))))
        } else if let start = dynamic[.hash] {
            self = .systemV(try SystemV(try segments.mapped(at: start, ErrorReason("elfHashTable"))))
        } else {
            throw .malformed(ErrorReason("elfNoHashTable"))
        }
    }

    /// The maximum number of symbols; the library of a whole compiler has some ten thousand.
    private static let limit = 1 << 20

    private static func require(atMost count: Int) throws(ELFFlaw) {
        guard count <= limit else { throw .excessive(ErrorReason("elfHashTableTooLarge", ["limit": .integer(limit)])) }
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
            guard let bucketCount: UInt32 = view.integer(at: 0), let first: UInt32 = view.integer(at: 4),
                let filterSize: UInt32 = view.integer(at: 8), let shift: UInt32 = view.integer(at: 12),
                let filter = view.part(16, UInt64(filterSize) * 8),
                let buckets = view.part(16 + UInt64(filter.count), UInt64(bucketCount) * 4),
                let chains = view.part(
                    16 + UInt64(filter.count + buckets.count),
                    UInt64(view.count - 16 - filter.count - buckets.count)),
                shift < 32, filterSize.nonzeroBitCount == 1, bucketCount > 0
            else {
                throw .malformed(ErrorReason("elfPartInconsistent", ["part": .reason(ErrorReason("elfHashTable"))]))
            }
            try ELFHash.require(atMost: max(Int(bucketCount), Int(first)))
            self.filter = filter
            self.shift = shift
            self.buckets = buckets
            self.chains = chains
            firstSymbol = Int(first)
            var last = 0
            for place in stride(from: 0, to: buckets.count, by: 4) {
                let start = Int(buckets.integer(UInt32.self, at: place) ?? 0)
                guard start == 0 || start >= firstSymbol else {
                    throw .malformed(ErrorReason("elfPartInconsistent", ["part": .reason(ErrorReason("elfHashTable"))]))
                }
                last = max(last, start)
            }
            guard last >= firstSymbol else {
                // No symbol is exported, and the others come before the first exported one.
                symbolCount = firstSymbol
                return
            }
            // The last chain ends with the last symbol, whose lowest bit is set.
            while let hash: UInt32 = chains.integer(at: (last - firstSymbol) * 4) {
                last += 1
                try ELFHash.require(atMost: last)
                guard hash & 1 == 0 else {
                    symbolCount = last
                    return
                }
            }
            throw .malformed(ErrorReason("elfHashTableNotTerminated"))
        }

        func first<R>(
            of hash: UInt32, _ work: ELFWork, _ match: (Int) throws(ELFFlaw) -> R?
        ) throws(ELFFlaw) -> R? {
            let word = Int(hash / 64) & (filter.count / 8 - 1)
            guard let bits: UInt64 = filter.integer(at: word * 8) else { return nil }
            let mask = UInt64(1) << UInt64(hash % 64) | UInt64(1) << UInt64((hash >> shift) % 64)
            guard bits & mask == mask,
                let start: UInt32 = buckets.integer(at: Int(hash % UInt32(buckets.count / 4)) * 4)
            else { return nil }
            var index = Int(start)
            guard index >= firstSymbol else { return nil }
            while let found: UInt32 = chains.integer(at: (index - firstSymbol) * 4) {
                try work.add(1, ErrorReason("elfHashTable"))
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
            guard let bucketCount: UInt32 = view.integer(at: 0), let chainCount: UInt32 = view.integer(at: 4),
                let buckets = view.part(8, UInt64(bucketCount) * 4),
                let chains = view.part(8 + UInt64(buckets.count), UInt64(chainCount) * 4), bucketCount > 0
            else {
                throw .malformed(ErrorReason("elfPartInconsistent", ["part": .reason(ErrorReason("elfHashTable"))]))
            }
            try ELFHash.require(atMost: Int(max(bucketCount, chainCount)))
            self.buckets = buckets
            self.chains = chains
            // Each symbol is in one chain, so more steps than symbols mean a circular chain.
            var steps = 0
            for place in stride(from: 0, to: buckets.count, by: 4) {
                var index: UInt32 = buckets.integer(at: place) ?? 0
                while index != 0 {
                    steps += 1
                    guard steps <= Int(chainCount), let next: UInt32 = chains.integer(at: Int(index) * 4) else {
                        throw .malformed(
                            ErrorReason("elfPartInconsistent", ["part": .reason(ErrorReason("elfHashTable"))]))
                    }
                    index = next
                }
            }
        }

        func first<R>(
            of hash: UInt32, _ work: ELFWork, _ match: (Int) throws(ELFFlaw) -> R?
        ) throws(ELFFlaw) -> R? {
            guard var index: UInt32 = buckets.integer(at: Int(hash % UInt32(buckets.count / 4)) * 4) else { return nil }
            // A circular chain is left after as many steps as there are symbols.
            for _ in 0..<symbolCount where index != 0 {
                try work.add(1, ErrorReason("elfHashTable"))
                if let result = try match(Int(index)) { return result }
                guard let next: UInt32 = chains.integer(at: Int(index) * 4) else { return nil }
                index = next
            }
            return nil
        }
    }
}
