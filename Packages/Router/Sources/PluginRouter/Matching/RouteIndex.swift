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
        text.utf8.span.withUnsafeBufferPointer { bytes in
            bytes.withPadding(first)
        }
    }

    /// All routes that match the address that `text` spells, the first in front, each once, with its most specific form;
    /// none when the text is malformed.
    @usableFromInline
    func all(for text: String) -> [RouteHit] {
        text.utf8.span.withUnsafeBufferPointer { $0.withPadding(all) }
    }

    private func first(_ bytes: PaddedBytes) -> RouteHit {
        guard bytes.count <= AddressLayout.longest else { return .malformed }
        let address = AddressBytes(bytes)
        let layout = address.layout
        guard layout.isPlain else { return firstOfEscaped(address) }
        // The way that nearly all addresses go: down the first tree, and never back.
        var node = trie.firstRoot.node(for: layout)
        var position = layout.path.start
        if layout.hasAuthority { trie.descendToAuthority(address, &node, &position) }
        trie.descend(address, &node, &position, limit: layout.path.upper)
        let here = trie.nodes[node]
        if position > layout.path.upper, here.fragment == RouteTrie.none, here.leafCount > 0 {
            let leaf = trie.leaves[here.leaves]
            if leaf.scheme == RouteTrie.none { return RouteHit(here.leaves, leaf.entry, layout) }
        }
        return first(address, from: node, position)
    }

    /// What a search finds that goes on at a node that it has come to without any choice.
    @inline(never)
    private func first(_ address: AddressBytes, from node: Int32, _ position: Int) -> RouteHit {
        var search = RouteSearch(in: trie, address, scheme: trie.scheme(of: address))
        search.goOn(at: node, position)
        return search.next(in: self).map { RouteHit($0, trie.leaves[$0].entry, address.layout) } ?? .none
    }

    @inline(never)
    private func firstOfEscaped(_ address: AddressBytes) -> RouteHit {
        let scheme = trie.scheme(of: address)
        return address.withDecoded { decoded -> RouteHit in
            var search = RouteSearch(in: trie, decoded, scheme: scheme)
            return search.next(in: self).map { RouteHit($0, trie.leaves[$0].entry, address.layout) } ?? .none
        } ?? .malformed
    }

    private func all(_ bytes: PaddedBytes) -> [RouteHit] {
        guard bytes.count <= AddressLayout.longest else { return [] }
        let address = AddressBytes(bytes)
        let scheme = trie.scheme(of: address)
        if address.layout.isPlain { return all(RouteSearch(in: trie, address, scheme: scheme), address.layout) }
        return address.withDecoded { all(RouteSearch(in: trie, $0, scheme: scheme), address.layout) } ?? []
    }

    private func all(_ start: RouteSearch, _ layout: AddressLayout) -> [RouteHit] {
        var search = start
        var found: [RouteHit] = []
        var seen: Set<Int32> = []
        while let leaf = search.next(in: self) {
            let entry = trie.leaves[leaf].entry
            if seen.insert(entry).inserted { found.append(RouteHit(leaf, entry, layout)) }
        }
        return found
    }
}
