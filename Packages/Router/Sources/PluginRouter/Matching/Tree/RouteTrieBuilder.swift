/// Grows the tree of a table's routes; ``RouteTrieBuilder/build()`` packs it.
///
/// While it grows, a node's number is that of its place in `nodes`, its literals are found in one table for all nodes, and
/// its other children are a list in no order.
struct RouteTrieBuilder {
    typealias Node = RouteTrie.Node

    /// What a ``RouteIndex`` is made of.
    struct Parts {
        let trie: RouteTrie
        let partials: [PartialSegment]
        let converters: [RouteConverter]
        let steps: PackedMemory<CaptureStep>
        let names: [String]
    }

    /// What is known of a node beside itself while the tree grows.
    struct Growth {
        /// Of a literal, the hash that it is found by.
        var hash: UInt64 = 0
        var firstLiteral = RouteTrie.none
        var nextLiteral = RouteTrie.none
        var literalCount: Int32 = 0
        /// Its routes, as indices of `leaves`.
        var firstLeaf = RouteTrie.none
        /// The node whose children, routes and rest it has too.
        var twin = RouteTrie.none
    }

    /// A route that ends somewhere, and the next that ends there.
    struct GrowingLeaf {
        let leaf: RouteTrie.Leaf
        let next: Int32
    }

    /// Both trees of a priority, and the leaves that were added to them.
    struct GrowingRoot {
        let root: RouteTrie.Root
        let firstLeaf: Int
    }

    let patterns: [RoutePattern]
    let secret = SegmentKey.Secret.random()
    var nodes: [Node] = []
    var growth: [Growth] = []
    var leaves: [GrowingLeaf] = []
    var roots: [GrowingRoot] = []
    var text: [UInt8] = []
    var partials: [PartialSegment] = []
    var converters: [RouteConverter] = []
    var steps: [CaptureStep] = []
    var names: [String] = []
    var partialNumbers: [String: Int32] = [:]
    let schemes: Int32
    var literals = LiteralTable()
    var wilds = WildTable()
    var converterNumbers: [String: Int32] = [:]

    /// - Parameter patterns: those of all routes.
    init(_ patterns: [RoutePattern]) {
        self.patterns = patterns
        nodes = [Node(kind: .root)]
        growth = [Growth()]
        schemes = 0
    }

    /// Adds the trees of one priority; the highest comes first.
    mutating func addRoot() {
        let withAuthority = sprout(.root, below: RouteTrie.none)
        let withoutAuthority = sprout(.root, below: RouteTrie.none)
        let root = RouteTrie.Root(withAuthority: withAuthority, withoutAuthority: withoutAuthority)
        roots.append(GrowingRoot(root: root, firstLeaf: leaves.count))
    }

    /// Adds a form of the route of that number below the root that was added last.
    mutating func add(_ form: RoutePattern.Form, entry: Int, form number: Int) {
        guard let root = roots.last?.root else { return }
        let scheme = form.scheme.map { literal($0, below: schemes) } ?? RouteTrie.none
        let (firstStep, firstName) = (steps.count, names.count)
        addSteps(form.path, inFragment: false, after: firstName)
        addSteps(form.fragment ?? [], inFragment: true, after: firstName)
        let leaf = RouteTrie.Leaf(
            scheme: scheme, entry: Int32(entry), form: Int32(number), steps: Int32(firstStep),
            stepCount: Int32(steps.count - firstStep), names: Int32(firstName),
            nameCount: Int32(names.count - firstName),
            hasSimpleCaptures: steps[firstStep...].allSatisfy { $0.kind == .segment }
        )
        grow(form, leaf, below: root.withoutAuthority, folds: false)
    }

    private mutating func grow(_ form: RoutePattern.Form, _ leaf: RouteTrie.Leaf, below root: Int32, folds: Bool) {
        var node = root
        for (index, segment) in form.path.enumerated() {
            node = child(segment, below: node, folds: folds && index == 0)
        }
        if let fragment = form.fragment {
            node = fragmentRoot(of: node)
            for segment in fragment { node = child(segment, below: node, folds: false) }
        }
        leaves.append(GrowingLeaf(leaf: leaf, next: growth[Int(node)].firstLeaf))
        growth[Int(node)].firstLeaf = Int32(leaves.count - 1)
    }

    /// Gives the tree for addresses with an authority what the other has.
    ///
    /// Below their roots both are the same where no two first literals differ in nothing but case, so the one has twins of
    /// the other's first literals, and shares what is below. Where two do differ so, theirs is a tree of its own.
    private mutating func mirrorRoots() {
        let ends = roots.dropFirst().map(\.firstLeaf) + [leaves.count]
        for (root, end) in zip(roots, ends) {
            growth[Int(root.root.withAuthority)].twin = root.root.withoutAuthority
            let merged = mirrorLiterals(of: root.root)
            guard !merged.isEmpty else { continue }
            for index in root.firstLeaf..<end {
                let leaf = leaves[index].leaf
                let form = form(of: leaf)
                guard case .literal(let text) = form.path.first,
                    merged.contains(literal(text.lowercasedASCII, below: root.root.withAuthority))
                else { continue }
                grow(form, leaf, below: root.root.withAuthority, folds: true)
            }
        }
    }

    /// Makes the first literals for addresses with an authority, and returns those that have no twin.
    private mutating func mirrorLiterals(of root: RouteTrie.Root) -> Set<Int32> {
        var merged: Set<Int32> = []
        var original = growth[Int(root.withoutAuthority)].firstLiteral
        while original != RouteTrie.none {
            let node = nodes[Int(original)]
            let count = nodes.count
            let literal = text[Int(node.detail)..<Int(node.detail + node.length)].map(\.lowercased)
            let mirrored = self.literal(literal, below: root.withAuthority)
            if nodes.count == count { merged.insert(mirrored) }
            growth[Int(mirrored)].twin = nodes.count == count ? RouteTrie.none : original
            original = growth[Int(original)].nextLiteral
        }
        return merged
    }

    /// The form that a leaf stands for.
    func form(of leaf: RouteTrie.Leaf) -> RoutePattern.Form { patterns[Int(leaf.entry)].forms[Int(leaf.form)] }

    /// The packed tree, and what goes with it.
    mutating func build() -> Parts {
        if roots.isEmpty { addRoot() }
        mirrorRoots()
        var packer = RouteTriePacker(self)
        packer.pack()
        let packedRoots = roots.map { packer.packed($0.root) }
        let trie = RouteTrie(
            // A node fills a cache line.
            nodes: PackedMemory(packer.nodes, alignment: MemoryLayout<Node>.stride),
            leaves: PackedMemory(packer.leaves),
            text: PackedMemory(text),
            firstRoot: packedRoots[0],
            roots: PackedMemory(packedRoots),
            rootCount: Int32(roots.count),
            schemes: packer.place(of: schemes),
            secret: secret
        )
        return Parts(
            trie: trie, partials: partials, converters: converters, steps: PackedMemory(steps), names: names
        )
    }
}
