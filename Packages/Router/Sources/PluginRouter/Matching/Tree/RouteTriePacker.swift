/// Gives each node of a grown tree its place, so that the literal children of a node are a hash table.
struct RouteTriePacker {
    typealias Node = RouteTrie.Node

    private let source: RouteTrieBuilder
    private(set) var nodes: [Node] = []
    private(set) var leaves: [RouteTrie.Leaf] = []
    /// The place of each node of the source.
    private var places: [Int32]

    init(_ source: RouteTrieBuilder) {
        self.source = source
        places = Array(repeating: RouteTrie.none, count: source.nodes.count)
        nodes.reserveCapacity(source.nodes.count * 2)
        leaves.reserveCapacity(source.leaves.count)
    }

    func place(of number: Int32) -> Int32 { number == RouteTrie.none ? RouteTrie.none : places[Int(number)] }

    func packed(_ root: RouteTrie.Root) -> RouteTrie.Root {
        RouteTrie.Root(
            withAuthority: place(of: root.withAuthority), withoutAuthority: place(of: root.withoutAuthority)
        )
    }

    mutating func pack() {
        for number in source.nodes.indices where source.nodes[number].kind == .root { put(Int32(number)) }
        // A parent has a lower number than its children.
        for number in source.nodes.indices {
            putChildren(of: number)
        }
        for number in source.nodes.indices where source.growth[number].twin != RouteTrie.none {
            imitate(Int(source.growth[number].twin), by: number)
        }
    }

    /// Puts a node behind all others.
    private mutating func put(_ number: Int32) {
        places[Int(number)] = Int32(nodes.count)
        nodes.append(source.nodes[Int(number)])
        settle(number)
    }

    /// Corrects what a node had while it grew.
    private mutating func settle(_ number: Int32) {
        let place = Int(places[Int(number)])
        nodes[place].parent = self.place(of: nodes[place].parent)
        nodes[place].firstWild = RouteTrie.none
        nodes[place].sibling = RouteTrie.none
        nodes[place].rest = RouteTrie.none
        nodes[place].fragment = RouteTrie.none
        // An empty literal is there to be told apart, and takes nothing.
        if nodes[place].kind == .literal, nodes[place].length == 0 { nodes[place].length = RouteTrie.none }
    }

    private mutating func putChildren(of number: Int) {
        let place = Int(places[number])
        putLiterals(of: number)
        for wild in wilds(of: number).reversed() {
            put(wild)
            nodes[nodes.count - 1].sibling = nodes[place].firstWild
            nodes[place].firstWild = Int32(nodes.count - 1)
            let kind = source.nodes[Int(wild)].kind
            nodes[place].traits = kind == .capture ? [.captures, .isOpen] : kind == .any ? .isOpen : []
            if kind == .rest { nodes[place].rest = Int32(nodes.count - 1) }
        }
        let fragment = source.nodes[number].fragment
        if fragment != RouteTrie.none {
            put(fragment)
            nodes[place].fragment = Int32(nodes.count - 1)
        }
        putLeaves(of: number)
    }

    /// Children that are not literals, the more specific first.
    private func wilds(of number: Int) -> [Int32] {
        var wilds: [Int32] = []
        var child = source.nodes[number].firstWild
        while child != RouteTrie.none {
            wilds.append(child)
            child = source.nodes[Int(child)].sibling
        }
        guard wilds.count > 1 else { return wilds }
        return wilds.map { ($0, source.specificity(of: $0)) }.sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// The routes that end at a node: those for one scheme first.
    private mutating func putLeaves(of number: Int) {
        let place = Int(places[number])
        nodes[place].leaves = Int32(leaves.count)
        var found: [RouteTrieBuilder.GrowingLeaf] = []
        var next = source.growth[number].firstLeaf
        while next != RouteTrie.none {
            found.append(source.leaves[Int(next)])
            next = source.leaves[Int(next)].next
        }
        if found.count > 1 {
            found.sort { one, other in
                let (mine, theirs) = (one.leaf.scheme == RouteTrie.none, other.leaf.scheme == RouteTrie.none)
                guard mine == theirs else { return !mine }
                return source.form(of: one.leaf).shape.precedesInBytes(source.form(of: other.leaf).shape)
            }
        }
        for leaf in found { leaves.append(leaf.leaf.withScheme(self.place(of: leaf.leaf.scheme))) }
        nodes[place].leafCount = Int32(leaves.count) - nodes[place].leaves
        if found.first?.leaf.scheme == RouteTrie.none, source.nodes[number].fragment == RouteTrie.none {
            nodes[place].traits.insert(.endsPlainly)
        }
    }

    /// Gives a twin what its model has.
    private mutating func imitate(_ model: Int, by number: Int) {
        let (node, place) = (nodes[Int(places[model])], Int(places[number]))
        nodes[place].firstWild = node.firstWild
        nodes[place].traits = node.traits
        nodes[place].rest = node.rest
        nodes[place].fragment = node.fragment
        nodes[place].leaves = node.leaves
        nodes[place].leafCount = node.leafCount
        guard node.kind == .literal else { return }
        nodes[place].table = node.table
        nodes[place].mask = node.mask
        nodes[place].shift = node.shift
        nodes[place].probes = node.probes
    }

    private mutating func putLiterals(of number: Int) {
        var literals: [Int32] = []
        literals.reserveCapacity(Int(source.growth[number].literalCount))
        var child = source.growth[number].firstLiteral
        while child != RouteTrie.none {
            literals.append(child)
            child = source.growth[Int(child)].nextLiteral
        }
        guard !literals.isEmpty else { return }
        let layout = ProbeLayout(literals.map { source.growth[Int($0)].hash })
        let place = Int(places[number])
        let table = nodes.count
        nodes[place].table = Int32(table)
        nodes[place].mask = Int32(layout.size - 1)
        nodes[place].shift = layout.shift
        nodes[place].probes = layout.probes
        nodes.append(contentsOf: repeatElement(Node(kind: .gap), count: layout.size))
        for (literal, offset) in zip(literals, layout.places) {
            places[Int(literal)] = Int32(table + offset)
            nodes[table + offset] = source.nodes[Int(literal)]
            settle(literal)
        }
    }
}

extension RouteTrie.Leaf {
    fileprivate func withScheme(_ scheme: Int32) -> RouteTrie.Leaf {
        RouteTrie.Leaf(
            scheme: scheme, entry: entry, form: form, steps: steps, stepCount: stepCount, names: names,
            nameCount: nameCount, hasSimpleCaptures: hasSimpleCaptures
        )
    }
}
