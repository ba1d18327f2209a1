public import PluginCore

/// The pattern of a route: the addresses that it matches, and the values that it captures.
///
///     pattern = [scheme "://"] segment *("/" segment) ["#" segments]      a leading "/" is allowed and ignored
///     segment = literal | ":" name | ":" name "<" converter ">" | partial | "*" | "**" [name] | "(" "/" segments ")"
///
/// - A capture matches one segment that is not empty. With a converter (``RouteConverters``), the text must convert.
/// - A partial segment mixes literals and captures: `:id.html`, `:{a}-x.:{ext}`. None of its captures is empty, and the leftmost is as long
///   as possible.
/// - `*` matches one segment, and `**` all remaining ones, including none. `**` must be last; its name is `rest` unless the pattern gives
///   another one.
/// - A group `(/...)` is optional. An ``Expansion`` is the expansion of a pattern for one choice of its groups.
/// - After `#`, the pattern continues with the address's fragment, which is interpreted as a path.
/// - A pattern without scheme matches every scheme. One leading and one trailing slash are ignored. Escapes are decoded after the pattern
///   is split, so `%3A` is a literal colon. An empty segment of an address is matched only by `**`.
///
/// ```swift
/// let pattern = try RoutePattern("shop/item/:id<int>(/:tab)")
/// pattern.captures(from: try ResourceURI("app://shop/item/42"))?.values["id"]    // "42"
/// ```
public struct RoutePattern: Sendable, CustomStringConvertible {
    /// The name of a double-star wildcard to which the pattern gives no name.
    public static let defaultRestName = "rest"
    /// The maximum number of expansions of one pattern, which is that of ten independent groups.
    public static let maximumExpansions = 1024

    /// The unchanged text of the pattern.
    public let text: String
    /// The scheme in lowercase, or nil if the pattern matches every scheme.
    public let scheme: String?
    /// The expansions for all choices of optional groups, in the order in which they are tried. Without groups, there is one.
    public let expansions: [Expansion]

    /// Parses a pattern.
    ///
    /// - Parameters:
    ///   - text: The pattern.
    ///   - converters: The types of captures.
    /// - Throws: ``AtriumError`` with code `patternMalformed`, or `routeConflict` if two expansions match the same addresses, as in
    ///   `a(/:x)(/:y)`.
    public init(_ text: String, converters: RouteConverters = .standard) throws(AtriumError) {
        var reader = PatternReader(text, converters: converters)
        let (scheme, paths, fragments) = try reader.read()
        let expansions = paths.flatMap { path in
            fragments.map { Expansion(scheme: scheme, path: path, fragment: $0) }
        }
        var canonicalKeys: Set<String> = []
        if let twice = expansions.first(where: { !canonicalKeys.insert($0.canonicalKey).inserted }) {
            throw AtriumError(.routeConflict, text, reason: "ownExpansionsMatch", ["example": .text(twice.example)])
        }
        self.text = text
        self.scheme = scheme
        self.expansions = expansions.sorted { $0.precedes($1, ignoringCase: false) }
    }

    /// The canonical keys of all expansions. Two patterns match common addresses with equal rank exactly if they share a key.
    public var canonicalKeys: [String] { expansions.map(\.canonicalKey) }

    /// The canonical keys as one text, which is equal for all spellings of a pattern.
    var canonicalKey: String { canonicalKeys.sorted().joined(separator: " ") }

    /// The first segments of all expansions without duplicates, by which a directory of many routes is indexed.
    ///
    /// See ``Expansion/firstSegment``.
    public var firstSegments: [String] { Set(expansions.map(\.firstSegment)).sorted() }

    /// Returns the first segments of all expansions that can match an address.
    public static func firstSegments(matching uri: ResourceURI) -> [String] {
        guard let first = uri.segments.first, !first.isEmpty else { return [""] }
        return [first.lowercasedASCII, ""]
    }

    /// The unchanged text of the pattern.
    public var description: String { text }
}

extension RoutePattern {
    /// An expansion of a pattern: its segments for one choice of optional groups.
    public final class Expansion: Sendable {
        /// The segments of the path.
        public let path: [Segment]
        /// The segments of the fragment's path, or nil for a pattern without one, which matches any fragment or none.
        public let fragment: [Segment]?
        /// The canonical key, which is equal for two expansions that match the same addresses.
        ///
        /// It ignores names of captures, the case of scheme and authority, the spelling of literals, and outer slashes.
        public let canonicalKey: String
        /// The pattern's scheme in lowercase, or nil if it matches every scheme.
        public let scheme: String?

        init(scheme: String?, path: [Segment], fragment: [Segment]?) {
            self.scheme = scheme
            self.path = path
            self.fragment = fragment
            var pieces = path.map(\.canonicalKey)
            if scheme != nil, case .literal(let authority) = path.first {
                pieces[0] = PercentCoding.encode(authority.lowercasedASCII)
            }
            let canonicalKey = (scheme.map { $0 + "://" } ?? "") + pieces.joined(separator: "/")
            self.canonicalKey =
                canonicalKey + (fragment.map { "#" + $0.map(\.canonicalKey).joined(separator: "/") } ?? "")
        }

        /// The first segment in lowercase if it is a literal, or an empty string.
        public var firstSegment: String {
            guard case .literal(let text) = path.first else { return "" }
            return text.lowercasedASCII
        }

        /// The reason for the conflict of two patterns with this expansion.
        public var conflict: ErrorReason {
            guard isMatchable else { return ErrorReason("emptySegmentInBoth") }
            return ErrorReason("bothMatch", ["example": .text(example)])
        }

        /// A Boolean value that indicates whether any address can match. An empty literal never matches.
        private var isMatchable: Bool { !(path + (fragment ?? [])).contains(.literal("")) }

        /// An address that the expansion matches, if there is one. Another expansion may still be tried first.
        public var example: String {
            func spell(_ segments: [Segment]) -> String {
                segments.compactMap(\.example).map(PercentCoding.encode).joined(separator: "/")
            }
            return (scheme.map { $0 + "://" } ?? "") + spell(path) + (fragment.map { "#" + spell($0) } ?? "")
        }
    }
}
