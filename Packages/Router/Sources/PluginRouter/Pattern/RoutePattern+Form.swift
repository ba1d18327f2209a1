internal import PluginCore

extension RoutePattern {
    /// One choice of a pattern's optional groups: plain segments.
    public struct Form: Sendable {
        /// The segments of the path.
        public let path: [Segment]
        /// The segments of the fragment's path; `nil` for a pattern without `#`, which matches with and without fragment.
        public let fragment: [Segment]?
        /// The same for two forms that match the same addresses: names of captures, case of scheme and authority, spelling
        /// of literals and outer slashes do not count.
        public let shape: String
        /// The pattern's scheme in lower case, or `nil` for every scheme.
        public let scheme: String?

        init(scheme: String?, path: [Segment], fragment: [Segment]?) {
            self.scheme = scheme
            self.path = path
            self.fragment = fragment
            var pieces = path.map(\.shape)
            if scheme != nil, case .literal(let authority) = path.first {
                pieces[0] = PercentCoding.encode(authority.lowercasedASCII)
            }
            let shape = (scheme.map { $0 + "://" } ?? "") + pieces.joined(separator: "/")
            self.shape = shape + (fragment.map { "#" + $0.map(\.shape).joined(separator: "/") } ?? "")
        }

        /// The first segment in lower case when it is a literal, else empty.
        public var head: String {
            guard case .literal(let text) = path.first else { return "" }
            return text.lowercasedASCII
        }

        /// What two patterns with this form do to each other: a clause that has their owners as its subject.
        public var clash: String {
            guard isMatchable else { return "both declare it, though no address matches its empty segment" }
            return "both serve it, for example \"\(example)\""
        }

        /// A Boolean value that indicates whether there is an address that it matches: literals that are empty match none.
        private var isMatchable: Bool { !(path + (fragment ?? [])).contains(.literal("")) }

        /// An address that the form matches, if any does; another form may still come before it.
        public var example: String {
            func spell(_ segments: [Segment]) -> String {
                segments.compactMap(\.example).map(PercentCoding.encode).joined(separator: "/")
            }
            return (scheme.map { $0 + "://" } ?? "") + spell(path) + (fragment.map { "#" + spell($0) } ?? "")
        }

        /// Returns whether this form is asked before `other` when both match: the leftmost difference of the paths decides, then
        /// that of the fragments, then the scheme.
        func precedes(_ other: Form) -> Bool { Self.order(self, other, ignoringCase: false) < 0 }

        /// Below zero when `one` is asked first; zero for forms of the same shape alone. When the case of the first segment is
        /// ignored, as an address with an authority does, it decides last.
        static func order(_ one: Form, _ other: Form, ignoringCase: Bool) -> Int {
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
            if one.shape.precedesInBytes(other.shape) { return -1 }
            return other.shape.precedesInBytes(one.shape) ? 1 : 0
        }

        private static func order(_ mine: [Segment], _ theirs: [Segment], ignoringCase: Bool) -> Int {
            for index in 0..<max(mine.count, theirs.count) {
                let one = index < mine.count ? mine[index].specificity : .end
                let other = index < theirs.count ? theirs[index].specificity : .end
                // Of two literals that match the same authority neither is the more specific.
                if ignoringCase, index == 0, one.rank == 0, other.rank == 0 { continue }
                if one < other { return -1 }
                if other < one { return 1 }
            }
            return 0
        }
    }
}
