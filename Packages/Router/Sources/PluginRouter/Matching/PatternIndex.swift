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
    /// Holds the tree and the captures, whose arrays a search would otherwise retain and release.
    @usableFromInline
    final class Box: Sendable {
        let trie: RouteTrie
        @usableFromInline let captures: CaptureTable

        init(_ patterns: [RoutePattern]) {
            trie = RouteTrie(patterns)
            captures = CaptureTable(patterns)
        }
    }

    private let patterns: [RoutePattern]
    /// The tree and the captures, once they are built.
    ///
    /// `AtomicLazyReference` does the same, but its code is not specialized, which takes a tenth of a search.
    private let built = Atomic<Unmanaged<Box>?>(nil)

    /// Indexes patterns, of which several may match the same addresses.
    public init(_ patterns: [RoutePattern]) {
        self.patterns = patterns
    }

    deinit { built.load(ordering: .acquiring)?.release() }

    /// Returns the patterns that match an address, each once with its most specific expansion.
    public func matches(for uri: ResourceURI) -> SmallArray<PatternMatch> {
        matches(for: uri.components, in: uri.text.utf8.span)
    }

    /// Returns the patterns that match an address, each once with its most specific expansion.
    ///
    /// - Parameters:
    ///   - address: The parts of the address.
    ///   - text: The address in UTF-8.
    public func matches(for address: ResourceURI.Components, in text: Span<UInt8>) -> SmallArray<PatternMatch> {
        if patterns.isEmpty { return SmallArray() }
        let found = withTrie { $0.matches(for: address, in: text) }
        return found.count < 2 ? found : distinct(found, ignoringCase: address.hasAuthority)
    }

    /// Calls a closure with the name and the decoded text, in UTF-8, of each capture of an address that a pattern matches.
    ///
    /// The captures come in the order of the pattern, without double-star wildcards.
    ///
    /// - Parameters:
    ///   - match: A match of the address in this index.
    ///   - address: The parts of the address.
    ///   - text: The address in UTF-8.
    @inlinable
    public func forEachCapture(
        of match: PatternMatch, from address: ResourceURI.Components, in text: Span<UInt8>,
        _ body: (_ name: String, _ text: Span<UInt8>) -> Void
    ) {
        // The index holds the box, which is not retained, so the index must be in use until the end.
        defer { withExtendedLifetime(self) {} }
        box()._withUnsafeGuaranteedRef { box in
            box.captures.forEach(of: Int(match.leaf), expansion(of: match), from: address, in: text, body)
        }
    }

    /// Returns the expansion that matches.
    @usableFromInline
    func expansion(of match: PatternMatch) -> RoutePattern.Expansion {
        patterns[match.index].expansions[match.expansion]
    }

    /// Returns the most specific match of each pattern, in the order of the patterns.
    private func distinct(_ found: SmallArray<PatternMatch>, ignoringCase: Bool) -> SmallArray<PatternMatch> {
        let sorted = found.sorted { one, other in
            if one.index != other.index { return one.index < other.index }
            let expansions = (expansion(of: one), expansion(of: other))
            return RoutePattern.Expansion.order(expansions.0, expansions.1, ignoringCase: ignoringCase) < 0
        }
        var distinct = SmallArray<PatternMatch>()
        var last = -1
        for match in sorted where match.index != last {
            distinct.append(match)
            last = match.index
        }
        return distinct
    }

    private func withTrie<R>(_ body: (borrowing RouteTrie) -> R) -> R {
        // As in `forEachCapture`.
        defer { withExtendedLifetime(self) {} }
        return box()._withUnsafeGuaranteedRef { body($0.trie) }
    }

    @usableFromInline
    func box() -> Unmanaged<Box> { built.load(ordering: .acquiring) ?? build() }

    @inline(never)
    private func build() -> Unmanaged<Box> {
        let box = Unmanaged.passRetained(Box(patterns))
        let (_, earlier) = built.compareExchange(expected: nil, desired: box, ordering: .acquiringAndReleasing)
        guard let earlier else { return box }
        // Another thread built the tree at the same time.
        box.release()
        return earlier
    }
}

/// A pattern of a list that matches an address.
///
/// It consists of indices, so it counts no references. It is of use only with the ``PatternIndex`` that returned it.
@frozen
public struct PatternMatch: Sendable {
    private let pattern: Int32
    private let expansionNumber: Int32
    /// The index of the expansion that matches, among those of all patterns.
    @usableFromInline let leaf: Int32

    /// Creates a match.
    ///
    /// - Parameters:
    ///   - index: The pattern's place in the list.
    ///   - expansion: The index of the expansion among those of the pattern.
    ///   - leaf: The index of the expansion among those of all patterns.
    init(_ index: Int, expansion: Int, leaf: Int) {
        pattern = Int32(index)
        expansionNumber = Int32(expansion)
        self.leaf = Int32(leaf)
    }

    /// The pattern's place in the list.
    public var index: Int { Int(pattern) }

    /// The index of the expansion that matches, among those of the pattern.
    var expansion: Int { Int(expansionNumber) }
}
