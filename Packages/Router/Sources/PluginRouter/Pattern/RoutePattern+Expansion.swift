public import PluginCore

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
