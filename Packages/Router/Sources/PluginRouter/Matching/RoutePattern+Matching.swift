public import PluginCore

extension RoutePattern {
    /// Returns whether the pattern matches an address.
    public func matches(_ uri: ResourceURI) -> Bool { expansion(matching: uri) != nil }

    /// Returns the captures of an address, or nil if the pattern does not match it.
    public func captures(from uri: ResourceURI) -> RouteCaptures? {
        expansion(matching: uri).map { RouteCaptures(uri, $0) }
    }

    /// Returns the most specific expansion that matches an address, or `nil` if there is none.
    func expansion(matching uri: ResourceURI) -> Expansion? {
        let matching = expansions.lazy.filter { $0.matches(uri) }
        // The expansions are sorted with regard to case, which decides last for an authority.
        guard uri.hasAuthority, expansions.count > 1 else { return matching.first }
        return matching.min { $0.precedes($1, ignoringCase: true) }
    }
}

extension RoutePattern.Expansion {
    /// Returns whether the scheme, every segment of the path, and every segment of the fragment match those of an address.
    func matches(_ uri: ResourceURI) -> Bool {
        guard Self.match(path, uri.segments, hasAuthority: uri.hasAuthority) else { return false }
        if let scheme, scheme != uri.scheme { return false }
        guard let fragment else { return true }
        return uri.fragmentAddress.map { Self.match(fragment, $0.segments, hasAuthority: false) } ?? false
    }

    /// Returns whether there is a matching text for each segment, and no other text unless the last segment is a double star.
    private static func match(_ segments: [RoutePattern.Segment], _ texts: [String], hasAuthority: Bool) -> Bool {
        if segments.count != texts.count {
            guard segments.last?.isRest == true, segments.count - 1 <= texts.count else { return false }
        }
        // The last segments of patterns differ most often.
        for index in segments.indices.prefix(texts.count).reversed() {
            guard segments[index].matches(texts[index], isAuthority: hasAuthority && index == 0) else { return false }
        }
        return true
    }
}

extension RoutePattern.Segment {
    /// Returns whether a segment matches a decoded text. Only a double star matches an empty one.
    ///
    /// Literals are compared byte by byte, and the authority without regard to ASCII case.
    package func matches(_ text: String, isAuthority: Bool) -> Bool {
        switch self {
        case .literal(let literal): !text.isEmpty && literal.hasBytes(of: text, ignoringCase: isAuthority)
        case .partial(let partial): partial.captures(text) != nil
        case .typed(_, let converter): !text.isEmpty && converter.accepts(text)
        case .capture, .any: !text.isEmpty
        case .rest: true
        }
    }
}

/// The captures of an address that matches a pattern.
///
/// ```swift
/// let captures = try RoutePattern("shop/:id").captures(from: ResourceURI("app://shop/42"))
/// captures?.values["id"]    // "42"
/// ```
public struct RouteCaptures: Hashable, Sendable {
    /// The segments that a double-star wildcard matched.
    public struct Rest: Hashable, Sendable {
        /// The name of the wildcard, by default "rest".
        public let name: String
        /// The decoded segments in order. There may be none, and each may be empty.
        public let segments: [String]
    }

    /// The decoded texts of the captures in the order of the pattern.
    ///
    /// A capture in an absent group has no text. The segments of a double-star wildcard are in ``rest``.
    public let values: URIParameters
    /// The segments that the double-star wildcard matched, or nil if the matching expansion has none.
    public let rest: Rest?
    /// A Boolean value that indicates whether the pattern matched the fragment, so the fragment's query belongs to the request.
    public let takesFragment: Bool

    /// Captures from an address that an expansion must match.
    init(_ uri: ResourceURI, _ expansion: RoutePattern.Expansion) {
        var items: [URIParameters.Item] = []
        var rest: Rest?
        func capture(_ segments: [RoutePattern.Segment], _ texts: [String]) {
            for (index, segment) in segments.enumerated() {
                switch segment {
                case .typed(let name, _), .capture(let name): items.append(.init(name: name, value: texts[index]))
                case .partial(let partial):
                    items += zip(partial.names, partial.captures(texts[index]) ?? []).map(URIParameters.Item.init)
                case .rest(let name): rest = Rest(name: name, segments: Array(texts[index...]))
                case .literal, .any: break
                }
            }
        }
        capture(expansion.path, uri.segments)
        if let fragment = expansion.fragment { capture(fragment, uri.fragmentAddress?.segments ?? []) }
        values = URIParameters(items)
        self.rest = rest
        takesFragment = expansion.fragment != nil
    }
}

extension String {
    /// Returns whether two texts have the same bytes, optionally but for the case of ASCII letters.
    ///
    /// `==` is also true for different spellings of the same characters.
    func hasBytes(of other: String, ignoringCase: Bool = false) -> Bool {
        let (mine, theirs) = (utf8.span, other.utf8.span)
        guard mine.count == theirs.count else { return false }
        for index in mine.indices where mine[index] != theirs[index] {
            guard ignoringCase, mine[index].lowercased == theirs[index].lowercased else { return false }
        }
        return true
    }

    /// The text with ASCII letters in lowercase.
    var lowercasedASCII: String {
        utf8.contains { $0 != $0.lowercased } ? String(decoding: utf8.map(\.lowercased), as: UTF8.self) : self
    }
}
