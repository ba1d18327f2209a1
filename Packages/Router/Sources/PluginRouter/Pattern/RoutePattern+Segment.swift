internal import PluginCore

extension RoutePattern {
    /// A pattern segment: the part between slashes.
    public enum Segment: Hashable, Sendable {
        /// A literal, decoded.
        case literal(String)
        /// A mixture of literals and captures.
        case partial(PartialSegment)
        /// A capture with a type.
        case typed(String, RouteConverter)
        /// A capture.
        case capture(String)
        /// A segment that is not captured.
        case any
        /// All remaining segments, including none.
        case rest(String)
    }
}

extension RoutePattern.Segment {
    /// The rank of the segment. At the leftmost difference of two patterns, the one with the lower rank is tried first.
    var specificity: Specificity {
        switch self {
        case .literal(let text): Specificity(rank: 0, name: text)
        case .partial(let partial):
            Specificity(
                rank: 1,
                numbers: (-partial.literalCount, partial.names.count, -partial.literals[0].utf8.count),
                name: partial.canonicalKey
            )
        case .typed(_, let converter): Specificity(rank: 2, numbers: (converter.breadth, 0, 0), name: converter.name)
        case .capture: Specificity(rank: 3)
        case .any: Specificity(rank: 4)
        // Rank 5 is the end of a pattern.
        case .rest: Specificity(rank: 6)
        }
    }

    /// The canonical form, in which the names of captures do not count.
    var canonicalKey: String {
        switch self {
        case .literal(let text): PercentCoding.encode(text)
        case .partial(let partial): partial.canonicalKey
        case .typed(_, let converter): ":<\(converter.name)>"
        case .capture: ":"
        case .any: "*"
        case .rest: "**"
        }
    }

    /// The names of the captures in order.
    var names: [String] {
        switch self {
        case .literal, .any: []
        case .partial(let partial): partial.names
        case .typed(let name, _), .capture(let name), .rest(let name): [name]
        }
    }

    /// A decoded text that the segment matches, or nil if the segment can be omitted.
    var example: String? {
        switch self {
        case .literal(let text): text
        case .partial(let partial):
            partial.names.indices.reduce(partial.literals[0]) { $0 + partial.names[$1] + partial.literals[$1 + 1] }
        case .typed(_, let converter): converter.example
        case .capture(let name): name
        case .any: "any"
        case .rest: nil
        }
    }

    var isRest: Bool {
        if case .rest = self { true } else { false }
    }

    /// Returns whether a capture, a wildcard or a partial segment matches a text. None of them matches an empty text.
    func takes(_ text: Span<UInt8>) -> Bool {
        guard !text.isEmpty else { return false }
        return switch self {
        case .literal, .rest: false
        case .partial(let partial): partial.matches(text)
        case .typed(_, let converter): converter.accepts(text)
        case .capture, .any: true
        }
    }
}

extension RoutePattern.Segment {
    /// Returns whether a segment of a pattern other than the double-star wildcard matches a text.
    func matches(_ text: Span<UInt8>, isAuthority: Bool) -> Bool {
        guard case .literal(let literal) = self else { return takes(text) }
        return !text.isEmpty && text.equals(literal, ignoringCase: isAuthority)
    }
}

/// The rank of a segment among those that can match the same text.
struct Specificity: Comparable {
    static let end = Specificity(rank: 5)

    let rank: Int
    var numbers = (0, 0, 0)
    var name = ""

    static func < (one: Specificity, other: Specificity) -> Bool {
        let mine = (one.rank, one.numbers.0, one.numbers.1, one.numbers.2)
        let theirs = (other.rank, other.numbers.0, other.numbers.1, other.numbers.2)
        return mine == theirs ? one.name.precedesInBytes(other.name) : mine < theirs
    }

    static func == (one: Specificity, other: Specificity) -> Bool {
        one.rank == other.rank && one.numbers == other.numbers && one.name.hasBytes(of: other.name)
    }
}
