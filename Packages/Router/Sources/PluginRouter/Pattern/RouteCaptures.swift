public import PluginCore

/// The captured values of an address that matches a pattern.
public struct RouteCaptures: Hashable, Sendable {
    /// The decoded texts of the captures in the order of the pattern. A capture in an absent group has no item.
    public internal(set) var values: URIParameters = []
    /// The segments that the double-star wildcard matched, or nil if the matching expansion has none.
    public internal(set) var rest: Rest?
    /// A Boolean value that indicates whether the pattern matched the fragment, so the fragment's query belongs to the request.
    public internal(set) var takesFragment = false

    /// The segments that a double-star wildcard matched.
    public struct Rest: Hashable, Sendable {
        /// The name of the wildcard, by default "rest".
        public let name: String
        /// A slice of the address's own segments, so that many routes can capture a long address.
        private let slice: ArraySlice<String>

        init(name: String, _ slice: ArraySlice<String>) {
            self.name = name
            self.slice = slice
        }

        /// The decoded segments in order. There may be none, and each may be empty.
        public var segments: [String] { Array(slice) }
    }
}
