internal import PluginCore

/// All expansions of many patterns as one tree over segments.
///
/// A node stands for a segment behind the segments above it. Nodes, leaves and text are flat arrays that name each other by
/// index, so a tree of 100,000 routes takes a few allocations. One hash table finds a node by its parent and its key: the
/// text of a literal, the canonical key of any other segment.
struct RouteTrie: ~Copyable, Sendable {
    struct Node {
        let key: SegmentKey
        /// The start of the key's text in `text`.
        let textStart: Int32
        /// The index in `conditions`; `none` if the node takes every segment.
        var condition = RouteTrie.none
        /// The first of the children that are neither literals nor `**`, linked by `sibling`.
        ///
        /// Below `foldedRoot`, the first of the literals that differ from the key only in case.
        var firstListed = RouteTrie.none
        var sibling = RouteTrie.none
        /// The child that is a `**`.
        var rest = RouteTrie.none
        /// The tree over the fragment of an address whose path ends here.
        var fragment = RouteTrie.none
        /// The first of the expansions that end here.
        var firstLeaf = RouteTrie.none
        /// A Boolean value that indicates whether any child is a literal.
        var hasLiterals = false
    }

    /// An expansion that ends at a node.
    struct Leaf {
        let match: PatternMatch
        /// The node of its scheme; `none` for an expansion that matches every scheme.
        let scheme: Int32
        /// The next expansion that ends at the same node.
        let next: Int32
    }

    static let none: Int32 = -1
    static let root: Int32 = 0
    /// Its children are first literals in lower case, by which addresses with an authority find them.
    static let foldedRoot: Int32 = 1
    /// Its children are schemes.
    static let schemeRoot: Int32 = 2

    private(set) var nodes: [Node] = []
    private(set) var leaves: [Leaf] = []
    /// The partial and typed segments that nodes stand for.
    private(set) var conditions: [RoutePattern.Segment] = []
    private var text: [UInt8] = []
    private var children = ChildTable()
    private let hash = SegmentHash()

    /// Builds the tree of some patterns, which may have canonical keys in common.
    init(_ patterns: [RoutePattern]) {
        for _ in 0...Self.schemeRoot { _ = append() }
        for (number, pattern) in patterns.enumerated() {
            for (index, expansion) in pattern.expansions.enumerated() {
                insert(expansion, PatternMatch(number, expansion: index, leaf: leaves.count))
            }
        }
    }

    /// Returns the child of a node that is a literal in a text, or `none` if there is none.
    @inline(__always)
    func child(_ text: Span<UInt8>, _ range: Range<Int>, below parent: Int32) -> Int32 {
        let key = SegmentKey(text, range, below: parent, hash)
        return children.find(hash(key)) { node in
            nodes[Int(node)].key == key && (key.isExact || isKey(of: Int(node), text, range))
        }
    }

    /// Returns whether a segment is the key of a node. Their lengths must be equal.
    @inline(never)
    private func isKey(of node: Int, _ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let textStart = Int(nodes[node].textStart)
        return stride(from: 0, to: range.count, by: 8).allSatisfy { offset in
            self.text.span.word(at: textStart + offset, before: textStart + range.count)
                == text.word(at: range.lowerBound + offset, before: range.upperBound)
        }
    }
}

extension RouteTrie {
    private mutating func insert(_ expansion: RoutePattern.Expansion, _ match: PatternMatch) {
        var node = Self.root
        for segment in expansion.path { node = child(segment, below: node) }
        if let fragment = expansion.fragment {
            node = fragmentRoot(of: node)
            for segment in fragment { node = child(segment, below: node) }
        }
        let scheme = expansion.scheme.map { literalChild($0, below: Self.schemeRoot).node } ?? Self.none
        leaves.append(Leaf(match: match, scheme: scheme, next: nodes[Int(node)].firstLeaf))
        nodes[Int(node)].firstLeaf = Int32(leaves.count - 1)
    }

    /// Returns the child for a segment, and adds it if it is missing.
    private mutating func child(_ segment: RoutePattern.Segment, below parent: Int32) -> Int32 {
        if case .literal(let literal) = segment {
            let (node, isNew) = literalChild(literal, below: parent)
            if isNew, parent == Self.root {
                let folded = literalChild(literal.lowercasedASCII, below: Self.foldedRoot).node
                link(node, below: folded)
            }
            return node
        }
        // The complement keeps the key `:` apart from the literal ":".
        let (node, isNew) = child(segment.canonicalKey, below: ~parent)
        guard isNew else { return node }
        switch segment {
        case .rest:
            nodes[Int(parent)].rest = node
            return node
        case .partial, .typed:
            conditions.append(segment)
            nodes[Int(node)].condition = Int32(conditions.count - 1)
        case .literal, .capture, .any: break
        }
        link(node, below: parent)
        return node
    }

    private mutating func literalChild(_ literal: String, below parent: Int32) -> (node: Int32, isNew: Bool) {
        nodes[Int(parent)].hasLiterals = true
        return child(literal, below: parent)
    }

    private mutating func child(_ key: String, below parent: Int32) -> (node: Int32, isNew: Bool) {
        let bytes = key.utf8.span
        let known = child(bytes, 0..<bytes.count, below: parent)
        if known != Self.none { return (known, false) }
        let node = append(SegmentKey(bytes, 0..<bytes.count, below: parent, hash), key)
        children.insert(node, hash(nodes[Int(node)].key))
        return (node, true)
    }

    private mutating func fragmentRoot(of node: Int32) -> Int32 {
        if nodes[Int(node)].fragment == Self.none { nodes[Int(node)].fragment = append() }
        return nodes[Int(node)].fragment
    }

    private mutating func link(_ node: Int32, below parent: Int32) {
        nodes[Int(node)].sibling = nodes[Int(parent)].firstListed
        nodes[Int(parent)].firstListed = node
    }

    private mutating func append(_ key: SegmentKey = SegmentKey(), _ keyText: String = "") -> Int32 {
        nodes.append(Node(key: key, textStart: Int32(text.count)))
        text += keyText.utf8
        return Int32(nodes.count - 1)
    }
}
