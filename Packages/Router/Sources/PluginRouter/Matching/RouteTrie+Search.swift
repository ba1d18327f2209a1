internal import PluginCore

extension RouteTrie {
    /// Returns the expansions that match an address, in no order.
    ///
    /// The search enters no node twice. So its work is bounded by the nodes whose segments match, whatever the address's length.
    func leaves(matching uri: ResourceURI) -> [Leaf] {
        var scheme = Self.none
        if let text = uri.scheme { scheme = literal(text.utf8.span, below: Self.schemeRoot) }
        var found: [Leaf] = []
        walk(uri.segments, from: Self.root, hasAuthority: uri.hasAuthority) { end in
            collect(end, scheme, &found)
            let fragment = nodes[Int(end)].fragment
            guard fragment != Self.none, let segments = uri.fragmentAddress?.segments else { return }
            walk(segments, from: fragment, hasAuthority: false) { collect($0, scheme, &found) }
        }
        return found
    }

    /// Adds the expansions that end at a node.
    private func collect(_ node: Int32, _ scheme: Int32, _ found: inout [Leaf]) {
        var number = nodes[Int(node)].firstLeaf
        while number != Self.none {
            let leaf = leaves[Int(number)]
            if leaf.scheme == Self.none || leaf.scheme == scheme { found.append(leaf) }
            number = leaf.next
        }
    }

    /// A node to continue with once the walk has come to an end, and the number of segments above it.
    private struct Branch {
        let node: Int32
        let depth: Int
    }

    /// Calls `end` with each node that matches the last of the segments, or all that remain.
    private func walk(_ segments: [String], from root: Int32, hasAuthority: Bool, _ end: (Int32) -> Void) {
        var branches: [Branch] = []
        var (number, depth) = (root, 0)
        while true {
            let node = nodes[Int(number)]
            if node.rest != Self.none { end(node.rest) }
            var next = Self.none
            if depth == segments.count {
                end(number)
            } else if !segments[depth].isEmpty {
                // Only `**` matches an empty segment.
                let segment = segments[depth].utf8.span
                next =
                    hasAuthority && depth == 0
                    ? authority(segments[0], &branches) : literal(segment, below: number)
                var child = node.firstListed
                while child != Self.none {
                    if matches(child, segment) {
                        if next != Self.none { branches.append(Branch(node: next, depth: depth + 1)) }
                        next = child
                    }
                    child = nodes[Int(child)].sibling
                }
            }
            if next != Self.none {
                (number, depth) = (next, depth + 1)
            } else if let branch = branches.popLast() {
                (number, depth) = (branch.node, branch.depth)
            } else {
                return
            }
        }
    }

    /// Returns a first literal that differs from an authority in case only; the others become branches.
    private func authority(_ text: String, _ branches: inout [Branch]) -> Int32 {
        let folded = literal(text.lowercasedASCII.utf8.span, below: Self.foldedRoot)
        guard folded != Self.none else { return Self.none }
        var next = nodes[Int(folded)].firstListed
        while next != Self.none, nodes[Int(next)].sibling != Self.none {
            branches.append(Branch(node: next, depth: 1))
            next = nodes[Int(next)].sibling
        }
        return next
    }

    private func matches(_ child: Int32, _ segment: Span<UInt8>) -> Bool {
        let condition = nodes[Int(child)].condition
        return condition == Self.none || conditions[Int(condition)].takes(segment)
    }
}
