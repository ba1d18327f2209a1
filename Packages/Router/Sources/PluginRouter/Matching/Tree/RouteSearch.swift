/// Walks the tree with an address and stops at each form that matches, the most specific first.
///
/// The walk is its own undoing: a node knows its parent and the next of its siblings, and the text tells where the segment
/// before starts, so going back needs no stack, whatever the depth, and no memory, whatever the length. No node is
/// entered twice: a walk takes at most as many steps as the tree has nodes.
struct RouteSearch {
    private let trie: RouteTrie
    private let address: AddressBytes
    private let scheme: Int32
    private var nextRoot: Int32 = 0
    private var node: Int32 = RouteTrie.none
    private var position = 0
    private var part: AddressPart
    private var isInFragment = false
    /// Where the `**` of the path and that of the fragment started.
    private var restStart = (path: 0, fragment: 0)
    private var step = Step.nextRoot

    private enum Step {
        /// Enter the tree of the next priority.
        case nextRoot
        /// The walk has come to a node.
        case arrive
        /// Try this child, then its siblings.
        case wild(Int32)
        /// Give the routes that end at the node, from this one on.
        case leaves(Int32)
        /// Nothing below the node matches any more.
        case leave
    }

    /// - Parameter scheme: the number that the index gives to the address's scheme; `none` when it knows none.
    init(in trie: RouteTrie, _ address: AddressBytes, scheme: Int32) {
        self.trie = trie
        self.address = address
        self.scheme = scheme
        part = address.layout.path
    }

    /// Starts at a node of the first tree's path, not behind a `**`.
    mutating func goOn(at node: Int32, _ position: Int) {
        self.node = node
        self.position = position
        nextRoot = 1
        step = .arrive
    }

    /// The next form that matches, as the number of a leaf.
    ///
    /// - Parameter index: the one whose tree it is; it outlives the search.
    mutating func next(in index: RouteIndex) -> Int32? {
        while true {
            switch step {
            case .nextRoot:
                guard nextRoot < trie.rootCount else { return nil }
                node = trie.roots[nextRoot].node(for: address.layout)
                nextRoot += 1
                enter(address.layout.path, inFragment: false)
                if address.layout.hasAuthority { passAuthority() }
                step = .arrive
            case .arrive: arrive()
            case .wild(let child): tryWild(child, in: index)
            case .leaves(let number):
                let here = trie.nodes[node]
                if number == here.leaves &+ here.leafCount {
                    // The part ends at the node, and no route ends there: `**` is left.
                    if here.kind != .rest, here.rest != RouteTrie.none { enterRest(here.rest) } else { step = .leave }
                    continue
                }
                step = .leaves(number &+ 1)
                let leaf = trie.leaves[number]
                if leaf.scheme == RouteTrie.none || leaf.scheme == scheme { return number }
            case .leave: leave()
            }
        }
    }

    private mutating func enter(_ part: AddressPart, inFragment: Bool) {
        self.part = part
        isInFragment = inFragment
        position = part.start
    }

    /// The first literal of an address with an authority is compared without case.
    private mutating func passAuthority() {
        let end = address.end(of: position, limit: part.upper)
        let child = trie.foldedChild(of: node, address.bytes, position, end)
        if child != RouteTrie.none { (node, position) = (child, end + 1) }
    }

    private mutating func arrive() {
        while position <= part.upper {
            let end = address.end(of: position, limit: part.upper)
            let child = trie.plainChild(of: node, address.bytes, position, end).child
            guard child != RouteTrie.none else {
                step = .wild(trie.nodes[node].firstWild)
                return
            }
            (node, position) = (child, end + 1)
        }
        arriveAtEnd()
    }

    private mutating func arriveAtEnd() {
        let here = trie.nodes[node]
        if !isInFragment, here.fragment != RouteTrie.none, let fragment = address.layout.fragment {
            node = here.fragment
            enter(fragment, inFragment: true)
            step = .arrive
        } else {
            step = .leaves(here.leaves)
        }
    }

    private mutating func tryWild(_ first: Int32, in index: RouteIndex) {
        let end = address.end(of: position, limit: part.upper)
        var child = first
        while child != RouteTrie.none {
            let candidate = trie.nodes[child]
            if candidate.kind == .rest { return enterRest(child) }
            if takes(candidate, position..<end, in: index) {
                node = child
                position = end + 1
                step = .arrive
                return
            }
            child = candidate.sibling
        }
        step = .leave
    }

    /// Returns whether a child that is not a literal takes a segment; none takes an empty one.
    private func takes(_ child: RouteTrie.Node, _ segment: Range<Int>, in index: RouteIndex) -> Bool {
        guard !segment.isEmpty else { return false }
        switch child.kind {
        case .capture, .any: return true
        case .partial: return index.partials[Int(child.detail)].matches(address.bytes.buffer(segment).span)
        case .typed: return index.converters[Int(child.detail)].accepts(address.bytes.buffer(segment).span)
        case .gap, .root, .literal, .rest, .fragment: return false
        }
    }

    private mutating func enterRest(_ rest: Int32) {
        if isInFragment { restStart.fragment = position } else { restStart.path = position }
        node = rest
        position = part.upper + 1
        step = .arrive
    }

    private mutating func leave() {
        let left = trie.nodes[node]
        node = left.parent
        switch left.kind {
        case .root: step = .nextRoot
        case .fragment:
            enter(address.layout.path, inFragment: false)
            position = part.upper + 1
            step = .leaves(trie.nodes[node].leaves)
        case .rest:
            position = isInFragment ? restStart.fragment : restStart.path
            step = .leave
        case .literal:
            goBack()
            step = .wild(trie.nodes[node].firstWild)
        case .partial, .typed, .capture, .any, .gap:
            goBack()
            step = .wild(left.sibling)
        }
    }

    /// To where the segment starts that ends in front of the position.
    private mutating func goBack() {
        position = address.start(endingAt: position - 1, limit: part.lower)
    }
}
