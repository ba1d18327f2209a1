extension RouteTrie {
    /// The child that comes first for a segment when it is a literal, or a capture or `*` before which nothing else is to
    /// be tried, and 1 when it captures; `none` when there is more to think about.
    @inline(__always)
    func plainChild(
        of node: Int32, _ bytes: PaddedBytes, _ start: Int, _ end: Int
    ) -> (child: Int32, captures: UInt64) {
        let here = nodes.pointer(to: node)
        if here.pointee.probes > 0 {
            let child = literal(below: here, bytes, SegmentKey(bytes, start, end, folds: false))
            if child != Self.none { return (child, 0) }
        }
        let traits = here.pointee.traits
        guard traits.contains(.isOpen), start < end else { return (Self.none, 0) }
        return (here.pointee.firstWild, UInt64(traits.rawValue & Traits.captures.rawValue))
    }

    /// The literal child that takes a segment whatever its case; `none` when there is none.
    @inline(__always)
    func foldedChild(of node: Int32, _ bytes: PaddedBytes, _ start: Int, _ end: Int) -> Int32 {
        literal(below: nodes.pointer(to: node), bytes, SegmentKey(bytes, start, end, folds: true))
    }

    /// The node of an address's scheme; `none` when no pattern names it.
    func scheme(of address: AddressBytes) -> Int32 {
        let length = address.layout.schemeLength
        return length == 0 ? Self.none : foldedChild(of: schemes, address.bytes, 0, length)
    }

    /// The literal child that takes a segment, or `none`; an empty segment has none.
    @inline(__always)
    private func literal(below node: UnsafePointer<Node>, _ bytes: PaddedBytes, _ key: SegmentKey) -> Int32 {
        let hash = key.hash(secret, bytes)
        let (table, mask) = (node.pointee.table, node.pointee.mask)
        var place = Int32(truncatingIfNeeded: hash &>> UInt64(node.pointee.shift)) & mask
        var left = node.pointee.probes
        while left > 0 {
            let child = nodes.pointer(to: table &+ place)
            if child.pointee.isLiteral(key), Self.hasMiddle(child, text, bytes, key) { return table &+ place }
            place = (place &+ 1) & mask
            left &-= 1
        }
        guard node.pointee.probes == .max else { return Self.none }
        return Self.farLiteral(nodes, text, table, mask, bytes, key.start, key.start &+ key.length, folds: key.folds)
    }

    /// The literal child when more places must be looked at than a node can tell, which takes a secret that is known.
    ///
    /// Like the next two by single values, so that a caller need not have its own in memory.
    @inline(never)
    private static func farLiteral(
        _ nodes: PackedMemory<Node>, _ text: PackedMemory<UInt8>, _ table: Int32, _ mask: Int32, _ bytes: PaddedBytes,
        _ start: Int, _ end: Int, folds: Bool
    ) -> Int32 {
        let key = SegmentKey(bytes, start, end, folds: folds)
        for place in table...(table + mask) {
            let child = nodes.pointer(to: place)
            if child.pointee.isLiteral(key), hasMiddle(child, text, bytes, key) { return place }
        }
        return Self.none
    }

    /// Returns whether the bytes between the first and the last eight are the same.
    @inline(__always)
    private static func hasMiddle(
        _ child: UnsafePointer<Node>, _ text: PackedMemory<UInt8>, _ bytes: PaddedBytes, _ key: SegmentKey
    ) -> Bool {
        if key.length <= 16 { return true }
        let literal = text.pointer(to: child.pointee.detail)
        return isSame(literal + 8, bytes, from: key.start &+ 8, key.length &- 16, folds: key.folds)
    }

    @inline(never)
    private static func isSame(
        _ text: UnsafePointer<UInt8>, _ bytes: PaddedBytes, from start: Int, _ count: Int, folds: Bool
    ) -> Bool {
        for index in 0..<count {
            let byte = bytes[start + index]
            if text[index] != (folds ? byte.lowercased : byte) { return false }
        }
        return true
    }
}

extension RouteTrie.Node {
    /// Returns whether it is a literal of these ends and this length.
    @inline(__always)
    fileprivate func isLiteral(_ key: SegmentKey) -> Bool {
        // One branch instead of three.
        let length = UInt64(truncatingIfNeeded: Int(length) ^ key.length)
        return (first ^ key.first) | (last ^ key.last) | length == 0
    }
}
