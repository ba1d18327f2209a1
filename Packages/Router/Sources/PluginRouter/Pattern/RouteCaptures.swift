/// What a pattern captures from an address that it matches.
public struct RouteCaptures: Hashable, Sendable {
    /// The decoded text of each capture, by name. A capture in a group that is absent has no entry.
    public internal(set) var values: [String: String] = [:]
    /// What `**` took; `nil` when the form that matched has none.
    public internal(set) var rest: Rest?
    /// A Boolean value that indicates whether the pattern looked at the fragment, so that the fragment's own query belongs to the request.
    public internal(set) var takesFragment = false

    /// The segments that `**` took.
    public struct Rest: Hashable, Sendable {
        /// Its name; `rest` unless the pattern says another.
        public let name: String
        /// The decoded segments, in order; may be empty, and so may be each of them.
        public let segments: [String]
    }
}
