internal import PluginCore

/// The search for an address. Steps that few addresses need are not inlined, because they would take registers from the others.
extension RouteTrie {
    /// Returns the expansions that match an address, in no order.
    ///
    /// The search enters no node twice. So its work is bounded by the nodes whose segments match, whatever the address's length.
    ///
    /// - Parameters:
    ///   - address: The parts of the address.
    ///   - text: The address in UTF-8.
    func matches(for address: ResourceURI.Components, in text: Span<UInt8>) -> SmallArray<PatternMatch> {
        var found = SmallArray<PatternMatch>()
        let scheme = nodes[Int(Self.schemeRoot)].hasLiterals ? scheme(of: address, in: text) : Self.none
        address.withSegmentText(of: text) { walk($0, address, from: Self.root, scheme, &found) }
        return found
    }

    /// Adds the expansions that end at a node, with those of the tree over the fragment.
    @inline(__always)
    private func end(
        at node: Int32, _ address: ResourceURI.Components, _ scheme: Int32, _ found: inout SmallArray<PatternMatch>
    ) {
        var number = nodes[Int(node)].firstLeaf
        while number != Self.none {
            let leaf = leaves[Int(number)]
            if leaf.scheme == Self.none || leaf.scheme == scheme { found.append(leaf.match) }
            number = leaf.next
        }
        let root = nodes[Int(node)].fragment
        if root != Self.none { searchFragment(of: address, from: root, scheme, &found) }
    }

    @inline(never)
    private func endWithRest(
        at node: Int32, _ address: ResourceURI.Components, _ scheme: Int32, _ found: inout SmallArray<PatternMatch>
    ) {
        end(at: node, address, scheme, &found)
    }

    @inline(never)
    private func searchFragment(
        of address: ResourceURI.Components, from root: Int32, _ scheme: Int32, _ found: inout SmallArray<PatternMatch>
    ) {
        guard let fragment = address.fragmentAddress else { return }
        fragment.withSegmentText { walk($0, fragment.components, from: root, scheme, &found) }
    }

    @inline(never)
    private func scheme(of address: ResourceURI.Components, in text: Span<UInt8>) -> Int32 {
        guard let scheme = address.scheme(in: text) else { return Self.none }
        return child(scheme.utf8.span, 0..<scheme.utf8.count, below: Self.schemeRoot)
    }

    /// Adds the expansions below a root that match an address.
    ///
    /// It is part of its two callers, because to pass all parts of the address once more takes a tenth of a search.
    @inline(__always)
    private func walk(
        _ text: Span<UInt8>, _ address: ResourceURI.Components, from root: Int32, _ scheme: Int32,
        _ found: inout SmallArray<PatternMatch>
    ) {
        let nodes = nodes.span
        let count = address.segmentCount
        var branches = BranchStack()
        var branch = Branch(node: root, depth: 0)
        while true {
            let node = nodes[Int(branch.node)]
            if node.rest != Self.none { endWithRest(at: node.rest, address, scheme, &found) }
            var next = Self.none
            if Int(branch.depth) == count {
                end(at: branch.node, address, scheme, &found)
            } else {
                let range = address.segmentRange(Int(branch.depth))
                // Only `**` matches an empty segment.
                if !range.isEmpty {
                    if node.hasLiterals {
                        next =
                            address.hasAuthority && branch.depth == 0
                            ? authority(text, range, &branches) : child(text, range, below: branch.node)
                    }
                    var listed = node.firstListed
                    while listed != Self.none {
                        let condition = nodes[Int(listed)].condition
                        if condition == Self.none || meets(condition, text, range) {
                            if next != Self.none { branches.push(Branch(node: next, depth: branch.depth &+ 1)) }
                            next = listed
                        }
                        listed = nodes[Int(listed)].sibling
                    }
                }
            }
            if next != Self.none {
                branch = Branch(node: next, depth: branch.depth &+ 1)
            } else if let last = branches.pop() {
                branch = last
            } else {
                return
            }
        }
    }

    /// Returns a first literal that differs from an authority in case only; the others become branches.
    @inline(never)
    private func authority(_ bytes: Span<UInt8>, _ range: Range<Int>, _ branches: inout BranchStack) -> Int32 {
        var folded = child(bytes, range, below: Self.foldedRoot)
        if folded == Self.none, range.contains(where: { bytes[$0] != bytes[$0].lowercased }) {
            let lowercased = range.map { bytes[$0].lowercased }
            folded = child(lowercased.span, lowercased.indices, below: Self.foldedRoot)
        }
        guard folded != Self.none else { return Self.none }
        var next = nodes[Int(folded)].firstListed
        while next != Self.none, nodes[Int(next)].sibling != Self.none {
            branches.push(Branch(node: next, depth: 1))
            next = nodes[Int(next)].sibling
        }
        return next
    }

    @inline(never)
    private func meets(_ condition: Int32, _ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
        conditions[Int(condition)].takes(text.extracting(range))
    }

    /// A node to continue with once the walk has come to an end, and the number of segments above it.
    private struct Branch {
        let node: Int32
        let depth: Int32
    }

    /// A stack of branches. The first ones need no memory of their own.
    private struct BranchStack {
        private var first = InlineArray<4, Branch>(repeating: Branch(node: RouteTrie.none, depth: 0))
        private var count = 0
        /// Nil until there are any, because even an empty array is released.
        private var others: [Branch]?

        mutating func push(_ branch: Branch) {
            if count < first.count { first[count] = branch } else { overflow(branch) }
            count += 1
        }

        @inline(never)
        private mutating func overflow(_ branch: Branch) {
            if others == nil { others = [] }
            others?.append(branch)
        }

        mutating func pop() -> Branch? {
            if count == 0 { return nil }
            count -= 1
            return count < first.count ? first[count] : others?.popLast()
        }
    }
}
