/// A hash table that leads from the hash of a parent and a segment to the number of a node.
///
/// One table serves the whole tree. It compares hashes; the caller compares what was hashed.
struct ChildTable: Sendable {
    private struct Slot {
        var hash: UInt32 = 0
        var node = RouteTrie.none
    }

    private var slots = Array(repeating: Slot(), count: 16)
    private var count = 0

    /// Returns the node with that hash which `isEqual` confirms, or `none` if there is none.
    @inline(__always)
    func find(_ hash: UInt32, where isEqual: (Int32) -> Bool) -> Int32 {
        let mask = slots.count &- 1
        var index = Int(hash) & mask
        while true {
            let slot = slots[index]
            if slot.node == RouteTrie.none { return RouteTrie.none }
            if slot.hash == hash, isEqual(slot.node) { return slot.node }
            index = (index &+ 1) & mask
        }
    }

    /// Adds a node that the table does not have.
    mutating func insert(_ node: Int32, _ hash: UInt32) {
        if count * 2 >= slots.count { grow() }
        count += 1
        put(Slot(hash: hash, node: node))
    }

    private mutating func put(_ slot: Slot) {
        let mask = slots.count - 1
        var index = Int(slot.hash) & mask
        while slots[index].node != RouteTrie.none { index = (index + 1) & mask }
        slots[index] = slot
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: Slot(), count: old.count * 2)
        for slot in old where slot.node != RouteTrie.none { put(slot) }
    }
}
