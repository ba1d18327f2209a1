/// Where in a hash table each of some hashes goes.
///
/// Of few hashes each is where it is looked for first: of its 64 bits those are taken that keep all apart, and the table
/// is made larger until there are such. Of many, one that finds its place taken goes to the next that is free.
struct ProbeLayout {
    /// A power of two.
    private(set) var size: Int
    /// Which bit of a hash is the lowest of the place.
    private(set) var shift: UInt8 = 0
    /// How many places must be looked at to find each.
    private(set) var probes: UInt8 = 1
    /// The place of each hash.
    private(set) var places: [Int]

    private static let few = 24

    init(_ hashes: [UInt64]) {
        var bits = 0
        while 1 << bits < hashes.count { bits += 1 }
        size = 1 << bits
        places = Array(repeating: 0, count: hashes.count)
        guard hashes.count > 1 else { return }
        if hashes.count <= Self.few {
            for bits in bits...(bits + 3) where keepApart(hashes, bits) { return }
        }
        size = 2 << bits
        probe(hashes)
    }

    private mutating func keepApart(_ hashes: [UInt64], _ bits: Int) -> Bool {
        let mask: UInt64 = (1 << UInt64(bits)) - 1
        return withUnsafeTemporaryAllocation(of: Bool.self, capacity: 1 << bits) { taken in
            for shift in 0...(64 - bits) {
                taken.initialize(repeating: false)
                var isApart = true
                for hash in hashes {
                    let place = Int(truncatingIfNeeded: hash >> UInt64(shift) & mask)
                    isApart = !taken[place]
                    if !isApart { break }
                    taken[place] = true
                }
                guard isApart else { continue }
                size = 1 << bits
                self.shift = UInt8(shift)
                places = hashes.map { Int(truncatingIfNeeded: $0 >> UInt64(shift) & mask) }
                return true
            }
            return false
        }
    }

    private mutating func probe(_ hashes: [UInt64]) {
        var taken = [Bool](repeating: false, count: size)
        var furthest = 0
        for (index, hash) in hashes.enumerated() {
            let first = Int(truncatingIfNeeded: hash) & (size - 1)
            var distance = 0
            while taken[(first + distance) & (size - 1)] { distance += 1 }
            places[index] = (first + distance) & (size - 1)
            taken[places[index]] = true
            furthest = max(furthest, distance)
        }
        // With so many in one place, which no secret makes likely, the whole table is looked through.
        probes = UInt8(clamping: min(furthest + 1, size))
    }
}
