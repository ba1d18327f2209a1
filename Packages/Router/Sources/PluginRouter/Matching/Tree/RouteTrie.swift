/// All forms of all patterns as one tree over segments, packed.
///
/// A node is a segment behind the segments above it, and as large as a cache line. Its literal children lie together as a
/// hash table of nodes, so that going down one literal reads one line; the others are a list, the more specific first.
/// There are two roots: one for addresses with an authority, whose first literals are kept in lower case, and one for
/// addresses without. What is below a first literal belongs to both, unless two of them differ in nothing but case.
struct RouteTrie: Sendable {
    /// Which segments a node takes; a gap in a hash table takes none.
    enum Kind: UInt8 { case gap, root, literal, partial, typed, capture, any, rest, fragment }

    /// What of a node is asked again and again.
    struct Traits: OptionSet, BitwiseCopyable {
        let rawValue: UInt8
        /// The first of the children that are not literals captures; its raw value is 1.
        static let captures = Traits(rawValue: 1)
        /// That child takes any segment but an empty one.
        static let isOpen = Traits(rawValue: 2)
        /// A route for every scheme ends here, none for one scheme alone, and none goes on in the fragment.
        static let endsPlainly = Traits(rawValue: 4)
    }

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
        var traits: Traits = []
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
        /// What its captures are called, in ``RouteIndex/names``.
        let names: Int32
        let nameCount: Int32
        /// A Boolean value that indicates whether each of its captures is a segment as it is.
        let hasSimpleCaptures: Bool
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
