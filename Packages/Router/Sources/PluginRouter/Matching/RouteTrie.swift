/// All forms of all patterns as one tree over segments, in flat arrays.
///
/// A node is a segment behind the segments above it. Its literal children are in a hash table of its own; the others are a
/// list, the more specific first. Every route has its place twice: below the root for addresses with an authority, where
/// the first literal is kept in lower case, and below the one for addresses without.
struct RouteTrie: Sendable {
    /// Which segments a node takes.
    enum Kind: UInt8 { case root, literal, partial, typed, capture, any, rest, fragment }

    /// A node; `none` stands for what it has not.
    struct Node {
        var kind: Kind
        /// The node above.
        var parent: Int32
        /// The next, less specific, of the parent's list.
        var sibling = RouteTrie.none
        /// The first of the list of children that are not literals; a `**` is the last of it.
        var firstWild = RouteTrie.none
        /// The child that is a `**`.
        var rest = RouteTrie.none
        /// The tree over the fragment of an address whose path ends here.
        var fragment = RouteTrie.none
        /// The hash table of literal children: where it starts, and its size, a power of two or zero.
        var slots: Int32 = 0
        var slotCount: Int32 = 0
        /// The routes that end here.
        var leaves: Int32 = 0
        var leafEnd: Int32 = 0
        /// The index of the partial or converter; of a literal, where its text starts and how long it is.
        var detail: Int32 = 0
        var length: Int32 = 0
    }

    /// A place in a hash table.
    struct Slot {
        var hash: UInt32 = 0
        var child = RouteTrie.none
    }

    /// A form that ends at a node.
    struct Leaf {
        /// The number of its scheme, or `none` for every scheme.
        let scheme: Int32
        /// The number of the route, and of the form in its pattern.
        let entry: Int32
        let form: Int32
    }

    /// The two trees of all routes of one priority.
    struct Root {
        let priority: Int
        let withAuthority: Int32
        let withoutAuthority: Int32
    }

    static let none: Int32 = -1

    /// Highest priority first.
    var roots: [Root] = []
    var nodes: [Node] = []
    var slots: [Slot] = []
    var leaves: [Leaf] = []
    var text: [UInt8] = []
    var partials: [PartialSegment] = []
    var converters: [RouteConverter] = []
    var schemes: [String: Int32] = [:]
    var seed: UInt32 = 0
}

extension RouteTrie {
    /// The literal child that takes a segment, or `none`; an empty segment has none.
    @inline(__always)
    func literal(below node: Node, _ bytes: Span<UInt8>, _ segment: Range<Int>, folding: Bool) -> Int32 {
        guard node.slotCount > 0, !segment.isEmpty else { return Self.none }
        var hash = seed
        for index in segment { hash = Self.mix(hash, folding ? bytes[index].lowercased : bytes[index]) }
        let mask = node.slotCount - 1
        var place = Int32(truncatingIfNeeded: hash) & mask
        for _ in 0..<node.slotCount {
            let slot = slots[Int(node.slots + place)]
            if slot.child == Self.none { return Self.none }
            if slot.hash == hash, isText(of: nodes[Int(slot.child)], bytes, segment, folding: folding) {
                return slot.child
            }
            place = (place + 1) & mask
        }
        return Self.none
    }

    @inline(__always)
    private func isText(of node: Node, _ bytes: Span<UInt8>, _ segment: Range<Int>, folding: Bool) -> Bool {
        guard segment.count == Int(node.length) else { return false }
        var place = Int(node.detail)
        for index in segment {
            if text[place] != (folding ? bytes[index].lowercased : bytes[index]) { return false }
            place += 1
        }
        return true
    }

    @inline(__always)
    static func mix(_ hash: UInt32, _ byte: UInt8) -> UInt32 {
        let mixed = (hash ^ UInt32(byte)) &* 0x0100_0193
        return mixed ^ (mixed >> 15)
    }

    /// Whether a child that is not a literal takes a segment; none takes an empty one.
    func takes(_ node: Node, _ bytes: Span<UInt8>, _ segment: Range<Int>) -> Bool {
        guard !segment.isEmpty else { return false }
        return switch node.kind {
        case .capture, .any: true
        case .partial: partials[Int(node.detail)].matches(bytes.extracting(segment))
        case .typed: converters[Int(node.detail)].accepts(bytes.extracting(segment))
        case .root, .literal, .rest, .fragment: false
        }
    }
}
