internal import PluginCore

extension RouteTrie {
    /// Returns the expansions that match an address, in no order.
    ///
    /// The search enters no node twice. So its work is bounded by the nodes whose segments match, whatever the address's length.
    func matches(for uri: ResourceURI) -> SmallArray<PatternMatch> {
        var found = SmallArray<PatternMatch>()
        walk(uri, from: Self.root) { end in
            collect(end, uri, &found)
            let root = nodes[Int(end)].fragment
            guard root != Self.none, let fragment = uri.fragmentAddress else { return }
            walk(fragment, from: root) { collect($0, uri, &found) }
        }
        return found
    }

    /// Adds the expansions that end at a node.
    private func collect(_ node: Int32, _ uri: ResourceURI, _ found: inout SmallArray<PatternMatch>) {
        var number = nodes[Int(node)].firstLeaf
        while number != Self.none {
            let leaf = leaves[Int(number)]
            if leaf.scheme == Self.none || leaf.scheme == scheme(of: uri) { found.append(leaf.match) }
            number = leaf.next
        }
    }

    private func scheme(of uri: ResourceURI) -> Int32 {
        guard let scheme = uri.scheme else { return Self.none }
        return literal(scheme.utf8.span, 0..<scheme.utf8.count, below: Self.schemeRoot)
    }

    /// Calls `end` with each node that matches the last of the segments, or all that remain.
    private func walk(_ uri: ResourceURI, from root: Int32, _ end: (Int32) -> Void) {
        uri.withSegmentText { walk($0, uri, from: root, end) }
    }

    private func walk(_ bytes: Span<UInt8>, _ uri: ResourceURI, from root: Int32, _ end: (Int32) -> Void) {
        let count = uri.segmentCount
        var branches = BranchStack()
        var branch = Branch(node: root, depth: 0)
        while true {
            let number = branch.node
            let rest = nodes[Int(number)].rest
            if rest != Self.none { end(rest) }
            var next = Self.none
            if branch.depth == count {
                end(number)
            } else {
                let range = uri.segmentRange(branch.depth)
                // Only `**` matches an empty segment.
                if !range.isEmpty {
                    next =
                        uri.hasAuthority && branch.depth == 0
                        ? authority(bytes, range, &branches) : literal(bytes, range, below: number)
                    var child = nodes[Int(number)].firstListed
                    while child != Self.none {
                        if takes(child, bytes, range) {
                            if next != Self.none { branches.push(Branch(node: next, depth: branch.depth + 1)) }
                            next = child
                        }
                        child = nodes[Int(child)].sibling
                    }
                }
            }
            if next != Self.none {
                branch = Branch(node: next, depth: branch.depth + 1)
            } else if let last = branches.pop() {
                branch = last
            } else {
                return
            }
        }
    }

    /// Returns a first literal that differs from an authority in case only; the others become branches.
    private func authority(_ bytes: Span<UInt8>, _ range: Range<Int>, _ branches: inout BranchStack) -> Int32 {
        let folded: Int32
        if range.contains(where: { bytes[$0] != bytes[$0].lowercased }) {
            let lowercased = range.map { bytes[$0].lowercased }
            folded = literal(lowercased.span, lowercased.indices, below: Self.foldedRoot)
        } else {
            folded = literal(bytes, range, below: Self.foldedRoot)
        }
        guard folded != Self.none else { return Self.none }
        var next = nodes[Int(folded)].firstListed
        while next != Self.none, nodes[Int(next)].sibling != Self.none {
            branches.push(Branch(node: next, depth: 1))
            next = nodes[Int(next)].sibling
        }
        return next
    }

    private func takes(_ child: Int32, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        let condition = nodes[Int(child)].condition
        return condition == Self.none || conditions[Int(condition)].takes(bytes.extracting(range))
    }

    /// A node to continue with once the walk has come to an end, and the number of segments above it.
    private struct Branch {
        let node: Int32
        let depth: Int
    }

    /// A stack of branches. The first ones need no memory of their own.
    private struct BranchStack {
        private var first = InlineArray<4, Branch>(repeating: Branch(node: RouteTrie.none, depth: 0))
        private var count = 0
        private var others: [Branch] = []

        mutating func push(_ branch: Branch) {
            if count < first.count { first[count] = branch } else { others.append(branch) }
            count += 1
        }

        mutating func pop() -> Branch? {
            if count == 0 { return nil }
            count -= 1
            return count < first.count ? first[count] : others.removeLast()
        }
    }
}
