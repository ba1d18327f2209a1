/// All forms of all patterns as one tree over segments, packed.
///
/// A node is a segment behind the segments above it, and as large as a cache line. Its literal children lie together as a
/// hash table of nodes, so that going down one literal reads one line; the others are a list, the more specific first.
/// Every route has its place twice: below the root for addresses with an authority, where the first literal is kept in
/// lower case, and below the one for addresses without.
struct RouteTrie: Sendable {
    /// Which segments a node takes; a gap in a hash table takes none.
    enum Kind: UInt8 { case gap, root, literal, partial, typed, capture, any, rest, fragment }

    /// A node; `none` stands for what it has not.
    struct Node: Sendable {
        /// Of a literal, its first eight bytes, zero behind its end.
        var first: UInt64 = 0
        /// Of a literal of more than eight bytes, the last eight.
        var last: UInt64 = 0
        /// Of a literal, how long it is; anything else has a length that no text has.
        var length: Int32 = RouteTrie.none
        /// Of a literal, where its text starts; else the index of the partial or converter.
        var detail: Int32 = 0
        /// The hash table of literal children: where it starts, and its size less one, a power of two less one.
        var table: Int32 = 0
        var mask: Int32 = 0
        /// The first of the list of children that are not literals; a `**` is the last of it.
        var firstWild = RouteTrie.none
        /// The next, less specific, of the parent's list.
        var sibling = RouteTrie.none
        /// The node above.
        var parent = RouteTrie.none
        /// The child that is a `**`.
        var rest = RouteTrie.none
        /// The tree over the fragment of an address whose path ends here.
        var fragment = RouteTrie.none
        /// The routes that end here.
        var leaves: Int32 = 0
        var leafCount: Int32 = 0
        var kind: Kind
        /// Whether the first of the other children is a capture, which takes any segment but an empty one.
        var startsWithCapture = false
        /// Which bits of the hash say where in the table a child is.
        var shift: UInt8 = 0
        /// How many places behind that it may be; zero without literal children.
        var probes: UInt8 = 0
    }

    /// A form that ends at a node.
    struct Leaf: Sendable {
        /// The node of its scheme, or `none` for every scheme.
        let scheme: Int32
        /// The number of the route, and of the form in its pattern.
        let entry: Int32
        let form: Int32
        /// What it captures, in ``RouteIndex/steps``.
        let steps: Int32
        let stepCount: Int32
    }

    /// The two trees of all routes of one priority.
    struct Root: Sendable {
        let withAuthority: Int32
        let withoutAuthority: Int32

        @inline(__always)
        func node(for layout: AddressLayout) -> Int32 { layout.hasAuthority ? withAuthority : withoutAuthority }
    }

    static let none: Int32 = -1

    let nodes: PackedMemory<Node>
    let leaves: PackedMemory<Leaf>
    /// The literals' text.
    let text: PackedMemory<UInt8>
    /// The first of the roots, of which there is one at least.
    let firstRoot: Root
    /// Highest priority first.
    let roots: PackedMemory<Root>
    let rootCount: Int32
    /// The node whose literal children are the schemes that patterns name, in lower case.
    let schemes: Int32
    let secret: SegmentKey.Secret

    func free() {
        nodes.free()
        leaves.free()
        text.free()
        roots.free()
    }
}

extension RouteTrie {
    /// Goes down as far as segments are literals, or, where no literal is, a capture comes first among the others.
    @inline(__always)
    func descend(_ address: AddressBytes, _ node: inout Int32, _ position: inout Int, limit: Int) {
        while position <= limit {
            let here = nodes[node]
            let end = address.end(of: position, limit: limit)
            var child = Self.none
            if here.probes > 0 {
                let key = SegmentKey(address.bytes, position..<end, folds: false)
                child = literal(below: here, key, position..<end, of: address.bytes)
            }
            if child == Self.none {
                guard here.startsWithCapture, position < end else { return }
                child = here.firstWild
            }
            node = child
            position = end &+ 1
        }
    }

    /// Goes down the first step of an address that starts with an authority, which is compared without case.
    @inline(never)
    func descendToAuthority(_ address: AddressBytes, _ node: inout Int32, _ position: inout Int) {
        let authority = position..<address.end(of: position, limit: address.layout.path.upper)
        let key = SegmentKey(address.bytes, authority, folds: true)
        let child = literal(below: nodes[node], key, authority, of: address.bytes)
        guard child != Self.none else { return }
        node = child
        position = authority.upperBound + 1
    }

    /// The literal child that takes a segment, or `none`; an empty segment has none.
    @inline(__always)
    func literal(below node: Node, _ key: SegmentKey, _ segment: Range<Int>, of bytes: PaddedBytes) -> Int32 {
        let hash = key.hash(secret, bytes, segment)
        var place = Int32(truncatingIfNeeded: hash &>> UInt64(node.shift)) & node.mask
        var left = node.probes
        while left > 0 {
            if nodes[node.table &+ place].isLiteral(key), hasText(node.table &+ place, key, segment, of: bytes) {
                return node.table &+ place
            }
            place = (place &+ 1) & node.mask
            left &-= 1
        }
        return node.probes == .max ? farLiteral(below: node, key, segment, of: bytes) : Self.none
    }

    /// The literal child when more places must be looked at than a node can tell, which takes a secret that is known.
    private func farLiteral(below node: Node, _ key: SegmentKey, _ segment: Range<Int>, of bytes: PaddedBytes) -> Int32 {
        for child in node.table...(node.table + node.mask)
        where nodes[child].isLiteral(key) && hasText(child, key, segment, of: bytes) {
            return child
        }
        return Self.none
    }

    /// The node of an address's scheme; `none` when no pattern names it.
    func scheme(of address: AddressBytes) -> Int32 {
        guard address.layout.schemeLength > 0 else { return Self.none }
        let scheme = 0..<address.layout.schemeLength
        let key = SegmentKey(address.bytes, scheme, folds: true)
        return literal(below: nodes[schemes], key, scheme, of: address.bytes)
    }

    /// Whether the bytes between the first and the last eight are the same.
    @inline(__always)
    private func hasText(_ child: Int32, _ key: SegmentKey, _ segment: Range<Int>, of bytes: PaddedBytes) -> Bool {
        key.length <= 16 || hasLongText(child, key, segment, of: bytes)
    }

    private func hasLongText(_ child: Int32, _ key: SegmentKey, _ segment: Range<Int>, of bytes: PaddedBytes) -> Bool {
        let text = text.pointer(to: nodes[child].detail)
        for index in 8..<(key.length - 8) where text[index] != key.byte(bytes[segment.lowerBound + index]) {
            return false
        }
        return true
    }
}

extension RouteTrie.Node {
    /// Whether it is a literal of these ends and this length.
    @inline(__always)
    fileprivate func isLiteral(_ key: SegmentKey) -> Bool {
        first == key.first && last == key.last && Int(length) == key.length
    }
}
