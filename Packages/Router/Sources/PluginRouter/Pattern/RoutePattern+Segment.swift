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
}
