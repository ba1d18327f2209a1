/// Which node a literal below another node is, while the tree grows: a hash table of numbers.
struct LiteralTable {
    private var slots: [(hash: UInt64, node: Int32)] = Array(repeating: (0, RouteTrie.none), count: 64)
    private var count = 0

    /// The node of that hash and parent that is the one.
    func find(below parent: Int32, _ hash: UInt64, where isTheOne: (Int32) -> Bool) -> Int32? {
        let hash = Self.hash(hash, parent)
        var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[place].node != RouteTrie.none {
            if slots[place].hash == hash, isTheOne(slots[place].node) { return slots[place].node }
            place = (place + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Adds a node that is not there.
    mutating func insert(_ node: Int32, below parent: Int32, _ hash: UInt64) {
        if count * 2 >= slots.count { grow() }
        count += 1
        put(Self.hash(hash, parent), node)
    }

    private mutating func put(_ hash: UInt64, _ node: Int32) {
        var place = Int(truncatingIfNeeded: hash) & (slots.count - 1)
        while slots[place].node != RouteTrie.none { place = (place + 1) & (slots.count - 1) }
        slots[place] = (hash, node)
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: (0, RouteTrie.none), count: old.count * 2)
        for (hash, node) in old where node != RouteTrie.none { put(hash, node) }
    }

    private static func hash(_ hash: UInt64, _ parent: Int32) -> UInt64 {
        let mixed = (hash ^ UInt64(truncatingIfNeeded: parent) &* 0x9E37_79B9_7F4A_7C15) &* 0xBF58_476D_1CE4_E5B9
        return mixed ^ mixed &>> 29
    }
}
