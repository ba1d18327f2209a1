/// Walks the tree with an address and stops at each form that matches, the most specific first.
///
/// The walk is its own undoing: a node knows its parent and the next of its siblings, and the text tells where the segment
/// before starts, so going back needs no stack, whatever the depth, and no memory, whatever the length. No node is
/// entered twice: a walk takes at most as many steps as the tree has nodes.
struct RouteSearch {
    private var node: Int32
    private let text: MatchText
    private let scheme: Int32?
    private let withAuthority: Bool
    private var root = 0
    private var position = 0
    private var isInFragment = false
    /// Where the `**` of the path and that of the fragment started.
    private var restStart = (path: 0, fragment: 0)
    private var step = Step.start

    private enum Step {
        /// Enter the tree of the next priority.
        case start
        /// The walk has come to a node.
        case arrive
        /// Try this child, then its siblings.
        case wild(Int32)
        /// Give the routes that end at the node, from this one on.
        case leaves(Int32)
        /// The address's part ends at the node, and no route ends there: `**` is left.
        case restOfNone
        /// Nothing below the node matches any more.
        case leave
    }

    /// - Parameter scheme: the number that the tree gives to the address's scheme; `nil` when it knows none.
    init(_ text: MatchText, scheme: Int32?) {
        self.text = text
        self.scheme = scheme
        self.withAuthority = text.hasAuthority
        self.node = RouteTrie.none
    }

    private var part: Range<Int> { isInFragment ? text.fragment ?? 0..<0 : text.path }

    /// The next form that matches.
    mutating func next(in trie: RouteTrie, _ bytes: Span<UInt8>) -> RouteTrie.Leaf? {
        while true {
            switch step {
            case .start:
                guard root < trie.roots.count else { return nil }
                node = withAuthority ? trie.roots[root].withAuthority : trie.roots[root].withoutAuthority
                root += 1
                isInFragment = false
                position = MatchText.start(of: text.path)
                step = .arrive
            case .arrive: arrive(in: trie, bytes)
            case .wild(let child): tryWild(child, in: trie, bytes)
            case .leaves(let leaf):
                if leaf == trie.nodes[Int(node)].leafEnd {
                    step = .restOfNone
                    continue
                }
                step = .leaves(leaf + 1)
                let found = trie.leaves[Int(leaf)]
                if found.scheme == RouteTrie.none || found.scheme == scheme { return found }
            case .restOfNone:
                let here = trie.nodes[Int(node)]
                if here.kind != .rest, here.rest != RouteTrie.none { enterRest(here.rest) } else { step = .leave }
            case .leave: leave(in: trie, bytes)
            }
        }
    }

    private mutating func arrive(in trie: RouteTrie, _ bytes: Span<UInt8>) {
        let here = trie.nodes[Int(node)]
        let part = self.part
        guard position <= part.upperBound else {
            if !isInFragment, here.fragment != RouteTrie.none, let fragment = text.fragment {
                node = here.fragment
                isInFragment = true
                position = MatchText.start(of: fragment)
            } else {
                step = .leaves(here.leaves)
            }
            return
        }
        let end = text.end(of: position, in: part, bytes)
        let folds = withAuthority && here.kind == .root
        let child = trie.literal(below: here, bytes, position..<end, folding: folds)
        if child == RouteTrie.none {
            step = .wild(here.firstWild)
        } else {
            node = child
            position = end + 1
        }
    }

    private mutating func tryWild(_ first: Int32, in trie: RouteTrie, _ bytes: Span<UInt8>) {
        let end = text.end(of: position, in: part, bytes)
        var child = first
        while child != RouteTrie.none {
            let candidate = trie.nodes[Int(child)]
            if candidate.kind == .rest { return enterRest(child) }
            if trie.takes(candidate, bytes, position..<end) {
                node = child
                position = end + 1
                step = .arrive
                return
            }
            child = candidate.sibling
        }
        step = .leave
    }

    private mutating func enterRest(_ rest: Int32) {
        if isInFragment { restStart.fragment = position } else { restStart.path = position }
        node = rest
        position = part.upperBound + 1
        step = .arrive
    }

    private mutating func leave(in trie: RouteTrie, _ bytes: Span<UInt8>) {
        let left = trie.nodes[Int(node)]
        node = left.parent
        switch left.kind {
        case .root: step = .start
        case .fragment:
            isInFragment = false
            position = text.path.upperBound + 1
            step = .leaves(trie.nodes[Int(node)].leaves)
        case .rest: position = isInFragment ? restStart.fragment : restStart.path
        case .literal:
            position = text.start(before: position, in: part, bytes)
            step = .wild(trie.nodes[Int(node)].firstWild)
        case .partial, .typed, .capture, .any:
            position = text.start(before: position, in: part, bytes)
            step = .wild(left.sibling)
        }
    }
}
