/// The matcher without what routes are registered with: patterns in, the number of a pattern and of its form out.
///
/// Not generic, so that it is compiled once and whole, wherever a ``RouteMatcher`` is used; a class, so that what is handed
/// out with a match holds on to one object and copies nothing, and so that the tree's memory has an owner.
@usableFromInline
final class RouteIndex: Sendable {
    @usableFromInline let patterns: [RoutePattern]
    let trie: RouteTrie
    let partials: [PartialSegment]
    let converters: [RouteConverter]
    /// What all forms capture, those of one form side by side.
    let steps: PackedMemory<CaptureStep>
    /// The names that the steps speak of.
    let names: [String]

    init(_ patterns: [RoutePattern], _ parts: RouteTrieBuilder.Parts) {
        self.patterns = patterns
        trie = parts.trie
        partials = parts.partials
        converters = parts.converters
        steps = parts.steps
        names = parts.names
    }

    deinit {
        trie.free()
        steps.free()
    }

    /// The route that comes first for the address that `text` spells.
    @usableFromInline
    func first(for text: String) -> RouteHit {
        text.utf8.span.withUnsafeBufferPointer { first(for: $0) }
    }

    /// The route that comes first for the address that these bytes spell, which are UTF-8.
    @usableFromInline
    func first(for text: UnsafeBufferPointer<UInt8>) -> RouteHit {
        guard let base = text.baseAddress, text.count >= 8 else { return firstOfTiny(text) }
        return first(PaddedBytes(base, count: text.count))
    }

    @inline(never)
    private func firstOfTiny(_ text: UnsafeBufferPointer<UInt8>) -> RouteHit {
        text.withPadding { first($0) }
    }

    /// All routes that match the address that `text` spells, the first in front, each once, with its most specific form;
    /// none when the text is malformed.
    @usableFromInline
    func all(for text: String) -> [RouteHit] {
        text.utf8.span.withUnsafeBufferPointer { bytes in bytes.withPadding { all($0) } }
    }

    /// The way that nearly all addresses go: down the first tree, and never back. All that it needs is in registers; what
    /// leaves the way starts anew from the bytes.
    private func first(_ bytes: PaddedBytes) -> RouteHit {
        guard bytes.count <= AddressLayout.longest else { return .malformed }
        let layout = AddressLayout(bytes)
        guard layout.isPlain, layout.isShort else { return firstBySearch(bytes) }
        var node = trie.firstRoot.node(for: layout)
        var position = layout.path.start
        if layout.hasAuthority {
            let end = layout.shortEnd(of: position)
            let child = foldedChild(of: node, bytes, position, end)
            if child != RouteTrie.none { (node, position) = (child, end &+ 1) }
        }
        var captureStarts: UInt64 = 0
        while position <= layout.path.upper {
            let end = layout.shortEnd(of: position)
            let (child, captures) = trie.plainChild(of: node, bytes, position, end)
            guard child != RouteTrie.none else { return firstBySearch(bytes, from: node, position) }
            captureStarts |= captures &<< UInt64(truncatingIfNeeded: position)
            (node, position) = (child, end &+ 1)
        }
        let here = trie.nodes.pointer(to: node)
        guard here.pointee.traits.contains(.endsPlainly) else { return firstBySearch(bytes, from: node, position) }
        let leaf = here.pointee.leaves
        return RouteHit(
            entry: trie.leaves.pointer(to: leaf).pointee.entry, leaf: leaf, captureStarts: captureStarts,
            segmentEnds: layout.segmentEnds
        )
    }

    @inline(never)
    private func foldedChild(of node: Int32, _ bytes: PaddedBytes, _ start: Int, _ end: Int) -> Int32 {
        trie.foldedChild(of: node, bytes, start, end)
    }

    /// The first form that a search finds that goes on where it has come to without any choice.
    @inline(never)
    private func firstBySearch(
        _ bytes: PaddedBytes, from node: Int32 = RouteTrie.none, _ position: Int = 0
    ) -> RouteHit {
        let address = AddressBytes(bytes)
        guard address.layout.isPlain else { return firstOfEscaped(address) }
        var search = RouteSearch(in: trie, address, scheme: trie.scheme(of: address))
        if node != RouteTrie.none { search.goOn(at: node, position) }
        return search.next(in: self).map { hit($0, address) } ?? .none
    }

    private func firstOfEscaped(_ address: AddressBytes) -> RouteHit {
        let scheme = trie.scheme(of: address)
        return address.withDecoded { decoded -> RouteHit in
            var search = RouteSearch(in: trie, decoded, scheme: scheme)
            return search.next(in: self).map { hit($0, address) } ?? .none
        } ?? .malformed
    }

    private func all(_ bytes: PaddedBytes) -> [RouteHit] {
        guard bytes.count <= AddressLayout.longest else { return [] }
        let address = AddressBytes(bytes)
        let scheme = trie.scheme(of: address)
        if address.layout.isPlain { return all(RouteSearch(in: trie, address, scheme: scheme), address) }
        return address.withDecoded { all(RouteSearch(in: trie, $0, scheme: scheme), address) } ?? []
    }

    private func all(_ start: RouteSearch, _ address: AddressBytes) -> [RouteHit] {
        var search = start
        var found: [RouteHit] = []
        var seen: Set<Int32> = []
        while let leaf = search.next(in: self) {
            let hit = hit(leaf, address)
            if seen.insert(hit.entry).inserted { found.append(hit) }
        }
        return found
    }
}
