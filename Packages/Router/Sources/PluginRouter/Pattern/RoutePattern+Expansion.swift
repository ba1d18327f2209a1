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

        /// The captures of the path and the fragment, without the double-star wildcard.
        let captures: [CapturePlace]

        init(scheme: String?, path: [Segment], fragment: [Segment]?) {
            self.scheme = scheme
            self.path = path
            self.fragment = fragment
            captures =
                CapturePlace.places(in: path, isInFragment: false)
                + CapturePlace.places(in: fragment ?? [], isInFragment: true)
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

        /// Returns whether this expansion is tried before another one if both match.
        ///
        /// The leftmost difference of the paths decides, then that of the fragments, then the scheme.
        func precedes(_ other: Expansion) -> Bool { Self.order(self, other, ignoringCase: false) < 0 }

        /// Compares two expansions. The result is negative if the first one is tried first, and zero only for equal canonical keys.
        ///
        /// If the case of the first segment is ignored, as for an address with an authority, the case decides last.
        static func order(_ one: Expansion, _ other: Expansion, ignoringCase: Bool) -> Int {
            let path = order(one.path, other.path, ignoringCase: ignoringCase)
            if path != 0 { return path }
            switch (one.fragment, other.fragment) {
            case (.some, nil): return -1
            case (nil, .some): return 1
            case (let mine?, let theirs?):
                let fragment = order(mine, theirs, ignoringCase: false)
                if fragment != 0 { return fragment }
            case (nil, nil): break
            }
            switch (one.scheme, other.scheme) {
            case (.some, nil): return -1
            case (nil, .some): return 1
            default: break
            }
            if one.canonicalKey.precedesInBytes(other.canonicalKey) { return -1 }
            return other.canonicalKey.precedesInBytes(one.canonicalKey) ? 1 : 0
        }

        private static func order(_ mine: [Segment], _ theirs: [Segment], ignoringCase: Bool) -> Int {
            for index in 0..<max(mine.count, theirs.count) {
                let one = index < mine.count ? mine[index].specificity : .end
                let other = index < theirs.count ? theirs[index].specificity : .end
                // Two literals that match the same authority are equally specific.
                if ignoringCase, index == 0, one.rank == 0, other.rank == 0 { continue }
                if one < other { return -1 }
                if other < one { return 1 }
            }
            return 0
        }
    }
}
