public import PluginCore
internal import Synchronization

/// Finds those of many patterns that match an address.
///
/// Builds its tree for the first address: a list that nobody asks costs nothing. From then on any number of readers share
/// the tree without a lock.
///
/// ```swift
/// let index = PatternIndex([try RoutePattern("shop/:id"), try RoutePattern("cart")])
/// index.matches(for: try ResourceURI("app://cart")).map(\.index)    // [1]
/// ```
public final class PatternIndex: Sendable {
    /// Holds the tree, whose arrays a search would otherwise retain and release.
    private final class Box: Sendable {
        private let trie: RouteTrie

        init(_ trie: RouteTrie) {
            self.trie = trie
        }

        func leaves(matching uri: ResourceURI) -> [RouteTrie.Leaf] { trie.leaves(matching: uri) }
    }

    private let patterns: [RoutePattern]
    /// The tree, once it is built. `AtomicLazyReference` does the same, but its code is not specialized, which takes a tenth of a
    /// search.
    private let built = Atomic<Unmanaged<Box>?>(nil)

    /// Indexes patterns, of which several may match the same addresses.
    public init(_ patterns: [RoutePattern]) {
        self.patterns = patterns
    }

    deinit { built.load(ordering: .acquiring)?.release() }

    /// The patterns that match an address, each once with its most specific expansion, in the order of the list.
    public func matches(for uri: ResourceURI) -> [PatternMatch] {
        matches(for: uri) { $0 }
    }

    /// The same, each turned into something else.
    func matches<Match>(for uri: ResourceURI, _ transform: (PatternMatch) -> Match) -> [Match] {
        if patterns.isEmpty { return [] }
        let leaves = box().leaves(matching: uri)
        if leaves.count == 1 { return [transform(match(leaves[0], uri))] }
        return distinct(leaves, uri).map { transform(match($0, uri)) }
    }

    private func box() -> Box {
        if let box = built.load(ordering: .acquiring) { return box.takeUnretainedValue() }
        let box = Unmanaged.passRetained(Box(RouteTrie(patterns)))
        let (_, earlier) = built.compareExchange(expected: nil, desired: box, ordering: .acquiringAndReleasing)
        guard let earlier else { return box.takeUnretainedValue() }
        // Another thread built the tree at the same time.
        box.release()
        return earlier.takeUnretainedValue()
    }

    private func match(_ leaf: RouteTrie.Leaf, _ uri: ResourceURI) -> PatternMatch {
        PatternMatch(index: Int(leaf.pattern), expansion: expansion(leaf), uri)
    }

    private func expansion(_ leaf: RouteTrie.Leaf) -> RoutePattern.Expansion {
        patterns[Int(leaf.pattern)].expansions[Int(leaf.expansion)]
    }

    /// One leaf for each pattern, sorted.
    private func distinct(_ leaves: [RouteTrie.Leaf], _ uri: ResourceURI) -> [RouteTrie.Leaf] {
        let sorted = leaves.sorted { one, other in
            if one.pattern != other.pattern { return one.pattern < other.pattern }
            return RoutePattern.Expansion.order(expansion(one), expansion(other), ignoringCase: uri.hasAuthority) < 0
        }
        return sorted.indices.filter { $0 == 0 || sorted[$0].pattern != sorted[$0 - 1].pattern }.map { sorted[$0] }
    }
}

/// A pattern that matches an address, and what it captures.
public struct PatternMatch: Sendable {
    /// The pattern's place in the list.
    public let index: Int
    /// The captures of the pattern.
    public let captures: RouteCaptures
    /// The expansion that matches.
    let expansion: RoutePattern.Expansion

    init(index: Int, expansion: RoutePattern.Expansion, _ uri: ResourceURI) {
        self.index = index
        self.expansion = expansion
        captures = expansion.captures(from: uri)
    }
}
