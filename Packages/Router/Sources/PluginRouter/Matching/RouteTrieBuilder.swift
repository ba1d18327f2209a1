/// Grows the tree of a table's routes, then packs it.
struct RouteTrieBuilder {
    private struct Sprout {
        var node: RouteTrie.Node
        var literals: [[UInt8]: Int32] = [:]
        var wilds: [(specificity: Specificity, node: Int32)] = []
        var wildsByShape: [String: Int32] = [:]
        var leaves: [(leaf: RouteTrie.Leaf, shape: String)] = []
    }

    private var trie = RouteTrie()
    private var sprouts: [Sprout] = []
    private var converterNumbers: [String: Int32] = [:]

    init() {
        trie.seed = .random(in: 0...UInt32.max)
    }

    /// Adds the trees of one priority; the highest comes first.
    mutating func addRoot(priority: Int) {
        let withAuthority = sprout(.root, below: RouteTrie.none)
        let withoutAuthority = sprout(.root, below: RouteTrie.none)
        trie.roots.append(
            RouteTrie.Root(priority: priority, withAuthority: withAuthority, withoutAuthority: withoutAuthority)
        )
    }

    /// Adds a form below the root that was added last.
    mutating func add(_ form: RoutePattern.Form, entry: Int, form number: Int) {
        guard let root = trie.roots.last else { return }
        let leaf = RouteTrie.Leaf(scheme: scheme(form.scheme), entry: Int32(entry), form: Int32(number))
        for (root, folds) in [(root.withAuthority, true), (root.withoutAuthority, false)] {
            var node = grow(form.path, below: root, foldingFirst: folds)
            if let fragment = form.fragment {
                node = grow(fragment, below: fragmentRoot(of: node), foldingFirst: false)
            }
            sprouts[Int(node)].leaves.append((leaf, form.shape))
        }
    }

    /// The packed tree.
    consuming func build() -> RouteTrie {
        for index in sprouts.indices {
            pack(index)
        }
        trie.nodes = sprouts.map(\.node)
        return trie
    }

    private mutating func grow(
        _ segments: [RoutePattern.Segment], below root: Int32, foldingFirst folds: Bool
    ) -> Int32 {
        var node = root
        for (index, segment) in segments.enumerated() {
            if case .literal(let text) = segment {
                node = literal(Array((folds && index == 0 ? text.lowercasedASCII : text).utf8), below: node)
            } else {
                node = wild(segment, below: node)
            }
        }
        return node
    }

    private mutating func literal(_ text: [UInt8], below parent: Int32) -> Int32 {
        if let known = sprouts[Int(parent)].literals[text] { return known }
        let node = sprout(.literal, below: parent)
        sprouts[Int(node)].node.detail = Int32(trie.text.count)
        sprouts[Int(node)].node.length = Int32(text.count)
        trie.text += text
        sprouts[Int(parent)].literals[text] = node
        return node
    }

    private mutating func wild(_ segment: RoutePattern.Segment, below parent: Int32) -> Int32 {
        let shape = segment.shape
        if let known = sprouts[Int(parent)].wildsByShape[shape] { return known }
        let node: Int32
        switch segment {
        case .literal, .capture: node = sprout(.capture, below: parent)
        case .any: node = sprout(.any, below: parent)
        case .rest:
            node = sprout(.rest, below: parent)
            sprouts[Int(parent)].node.rest = node
        case .typed(_, let converter):
            node = sprout(.typed, below: parent)
            sprouts[Int(node)].node.detail = number(of: converter)
        case .partial(let partial):
            node = sprout(.partial, below: parent)
            sprouts[Int(node)].node.detail = Int32(trie.partials.count)
            trie.partials.append(partial)
        }
        sprouts[Int(parent)].wildsByShape[shape] = node
        sprouts[Int(parent)].wilds.append((segment.specificity, node))
        return node
    }

    private mutating func fragmentRoot(of node: Int32) -> Int32 {
        if sprouts[Int(node)].node.fragment != RouteTrie.none { return sprouts[Int(node)].node.fragment }
        let root = sprout(.fragment, below: node)
        sprouts[Int(node)].node.fragment = root
        return root
    }

    private mutating func sprout(_ kind: RouteTrie.Kind, below parent: Int32) -> Int32 {
        sprouts.append(Sprout(node: RouteTrie.Node(kind: kind, parent: parent)))
        return Int32(sprouts.count - 1)
    }

    private mutating func scheme(_ scheme: String?) -> Int32 {
        guard let scheme else { return RouteTrie.none }
        if let known = trie.schemes[scheme] { return known }
        let number = Int32(trie.schemes.count)
        trie.schemes[scheme] = number
        return number
    }

    private mutating func number(of converter: RouteConverter) -> Int32 {
        if let known = converterNumbers[converter.name] { return known }
        let number = Int32(trie.converters.count)
        converterNumbers[converter.name] = number
        trie.converters.append(converter)
        return number
    }

    private mutating func pack(_ index: Int) {
        var node = sprouts[index].node
        var next = RouteTrie.none
        for wild in sprouts[index].wilds.sorted(by: { $0.specificity > $1.specificity }) {
            sprouts[Int(wild.node)].node.sibling = next
            next = wild.node
        }
        node.firstWild = next
        packLiterals(of: index, &node)
        node.leaves = Int32(trie.leaves.count)
        let leaves = sprouts[index].leaves.sorted { one, other in
            let (mine, theirs) = (one.leaf.scheme == RouteTrie.none, other.leaf.scheme == RouteTrie.none)
            return mine == theirs ? one.shape.precedesInBytes(other.shape) : !mine
        }
        trie.leaves += leaves.map(\.leaf)
        node.leafEnd = Int32(trie.leaves.count)
        sprouts[index].node = node
    }

    private mutating func packLiterals(of index: Int, _ node: inout RouteTrie.Node) {
        let literals = sprouts[index].literals
        guard !literals.isEmpty else { return }
        var count = 1
        while count < (literals.count == 1 ? 1 : literals.count * 2) { count *= 2 }
        var slots = [RouteTrie.Slot](repeating: RouteTrie.Slot(), count: count)
        for (text, child) in literals {
            let hash = text.reduce(trie.seed, RouteTrie.mix)
            var place = Int(hash) & (count - 1)
            while slots[place].child != RouteTrie.none { place = (place + 1) & (count - 1) }
            slots[place] = RouteTrie.Slot(hash: hash, child: child)
        }
        node.slots = Int32(trie.slots.count)
        node.slotCount = Int32(count)
        trie.slots += slots
    }
}
