public import PluginCore

/// The captures of an address that matches a pattern.
///
/// They are places in the address. Only ``values`` and ``rest`` copy their texts.
///
/// ```swift
/// let captures = try RoutePattern("shop/:id").captures(from: ResourceURI("app://shop/42"))
/// captures?.forEach { name, text in print(name, text.count) }    // id 2
/// ```
public struct RouteCaptures: Sendable {
    private let uri: ResourceURI
    private let match: PatternMatch
    /// The list of patterns that the match belongs to.
    private let index: PatternIndex

    /// Captures from an address that a pattern of a list must match.
    init(_ uri: ResourceURI, _ match: PatternMatch, of index: PatternIndex) {
        self.uri = uri
        self.match = match
        self.index = index
    }

    /// The segments that a double-star wildcard matched.
    public struct Rest: Hashable, Sendable {
        /// The name of the wildcard, by default "rest".
        public let name: String
        /// The decoded segments in order. There may be none, and each may be empty.
        public let segments: [String]
    }

    /// The expansion of the pattern that matches.
    var expansion: RoutePattern.Expansion { index.expansion(of: match) }

    /// A Boolean value that indicates whether the pattern matched the fragment, so the fragment's query belongs to the request.
    public var takesFragment: Bool { expansion.fragment != nil }

    /// Calls a closure with the name and the decoded text, in UTF-8, of each capture in the order of the pattern.
    ///
    /// A capture in an absent group has no text. The segments of a double-star wildcard are in ``rest``.
    public func forEach(_ body: (_ name: String, _ text: Span<UInt8>) -> Void) {
        index.forEachCapture(of: match, from: uri.components, in: uri.text.utf8.span, body)
    }

    /// The decoded texts of the captures in the order of the pattern.
    public var values: URIParameters {
        var items: [URIParameters.Item] = []
        forEach { items.append(URIParameters.Item(name: $0, value: $1.string)) }
        return URIParameters(items)
    }

    /// The segments that the double-star wildcard matched, or nil if the matching expansion has none.
    public var rest: Rest? {
        let expansion = expansion
        if case .rest(let name) = expansion.path.last {
            return Rest(name: name, segments: uri.segments(from: expansion.path.count - 1))
        }
        guard let fragment = expansion.fragment, case .rest(let name) = fragment.last else { return nil }
        return Rest(name: name, segments: uri.fragmentAddress?.segments(from: fragment.count - 1) ?? [])
    }
}

extension RouteCaptures: Hashable {
    /// Compares the names and texts of captures.
    public static func == (one: RouteCaptures, other: RouteCaptures) -> Bool {
        one.values == other.values && one.rest == other.rest && one.takesFragment == other.takesFragment
    }

    /// Hashes the names and texts of the captures.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(values)
        hasher.combine(rest)
    }
}

extension ResourceURI {
    /// Returns a decoded segment.
    func segment(_ index: Int) -> String { withSegmentText { $0.extracting(segmentRange(index)).string } }

    /// Returns the decoded segments from an index on.
    fileprivate func segments(from index: Int) -> [String] {
        (min(index, segmentCount)..<segmentCount).map(segment)
    }
}
