extension RouteTrieBuilder {
    /// Where children that are not literals are found: by parent and shape.
    struct WildTable {
        struct Key: Hashable {
            let parent: Int32
            let shape: String
        }

        /// Only of those that a parent can have more than one of.
        var byShape: [Key: Int32] = [:]
        /// What a parent's list is sorted by.
        var specificities: [Int32: Specificity] = [:]
    }

    /// The child that takes a segment; it is made when it is not there.
    mutating func child(_ segment: RoutePattern.Segment, below parent: Int32, folds: Bool) -> Int32 {
        switch segment {
        case .literal(let text): literal(folds ? text.lowercasedASCII : text, below: parent)
        case .capture: wild(.capture, below: parent)
        case .any: wild(.any, below: parent)
        case .rest: wild(.rest, below: parent)
        case .typed(_, let converter): wild(.typed, detail: number(of: converter), segment, below: parent)
        case .partial(let partial): wild(.partial, detail: number(of: partial), segment, below: parent)
        }
    }

    /// The node that the tree over the fragment starts with.
    mutating func fragmentRoot(of node: Int32) -> Int32 {
        if nodes[Int(node)].fragment != RouteTrie.none { return nodes[Int(node)].fragment }
        let root = sprout(.fragment, below: node)
        nodes[Int(node)].fragment = root
        return root
    }

    mutating func sprout(_ kind: RouteTrie.Kind, below parent: Int32) -> Int32 {
        nodes.append(Node(parent: parent, kind: kind))
        growth.append(Growth())
        return Int32(nodes.count - 1)
    }

    mutating func literal(_ literal: String, below parent: Int32) -> Int32 {
        self.literal(literal.utf8, below: parent)
    }

    /// The child that is a literal of these bytes; it is made when it is not there.
    mutating func literal(_ literal: some Collection<UInt8>, below parent: Int32) -> Int32 {
        let start = text.count
        text += literal
        let length = text.count - start
        let (key, hash) = text[start...].withUnsafeBufferPointer { [secret] bytes in
            bytes.withPadding { bytes in
                let key = SegmentKey(bytes, 0, bytes.count, folds: false)
                return (key, key.hash(secret, bytes))
            }
        }
        if let known = known(key, hash, start, below: parent) {
            text.removeLast(length)
            return known
        }
        let node = sprout(.literal, below: parent)
        nodes[Int(node)].first = key.first
        nodes[Int(node)].last = key.last
        nodes[Int(node)].length = Int32(length)
        nodes[Int(node)].detail = Int32(start)
        growth[Int(node)].hash = hash
        growth[Int(node)].nextLiteral = growth[Int(parent)].firstLiteral
        growth[Int(parent)].firstLiteral = node
        growth[Int(parent)].literalCount += 1
        literals.insert(node, below: parent, hash)
        return node
    }

    private func known(_ key: SegmentKey, _ hash: UInt64, _ start: Int, below parent: Int32) -> Int32? {
        literals.find(below: parent, hash) { number in
            let node = nodes[Int(number)]
            guard node.parent == parent, node.first == key.first, node.last == key.last, Int(node.length) == key.length
            else { return false }
            return key.length <= 16
                || (0..<key.length).allSatisfy { text[Int(node.detail) + $0] == text[start + $0] }
        }
    }

    /// A child of which a parent has one at most.
    private mutating func wild(_ kind: RouteTrie.Kind, below parent: Int32) -> Int32 {
        var child = nodes[Int(parent)].firstWild
        while child != RouteTrie.none {
            if nodes[Int(child)].kind == kind { return child }
            child = nodes[Int(child)].sibling
        }
        let node = wildSprout(kind, below: parent)
        if kind == .rest { nodes[Int(parent)].rest = node }
        return node
    }

    private mutating func wild(
        _ kind: RouteTrie.Kind, detail: Int32, _ segment: RoutePattern.Segment, below parent: Int32
    ) -> Int32 {
        let key = WildTable.Key(parent: parent, shape: segment.shape)
        if let known = wilds.byShape[key] { return known }
        let node = wildSprout(kind, below: parent)
        nodes[Int(node)].detail = detail
        wilds.byShape[key] = node
        wilds.specificities[node] = segment.specificity
        return node
    }

    private mutating func wildSprout(_ kind: RouteTrie.Kind, below parent: Int32) -> Int32 {
        let node = sprout(kind, below: parent)
        nodes[Int(node)].sibling = nodes[Int(parent)].firstWild
        nodes[Int(parent)].firstWild = node
        return node
    }

    /// What decides among the children of a node that are not literals.
    func specificity(of wild: Int32) -> Specificity {
        switch nodes[Int(wild)].kind {
        case .capture: RoutePattern.Segment.capture("").specificity
        case .any: RoutePattern.Segment.any.specificity
        case .rest: RoutePattern.Segment.rest("").specificity
        default: wilds.specificities[wild] ?? .end
        }
    }

    private mutating func number(of converter: RouteConverter) -> Int32 {
        if let known = converterNumbers[converter.name] { return known }
        let number = Int32(converters.count)
        converterNumbers[converter.name] = number
        converters.append(converter)
        return number
    }
}
