/// The values from which an address is created: the captures of a pattern, and a query.
public struct AddressParts: Hashable, Sendable {
    /// The value of each capture by name, not encoded. A capture in an optional group may be omitted.
    public var captures: [String: String]
    /// The segments for the pattern's double-star wildcard, not encoded.
    public var rest: [String]
    /// The query.
    public var query: URIParameters

    /// Creates the parts of an address.
    public init(captures: [String: String] = [:], rest: [String] = [], query: URIParameters = []) {
        self.captures = captures
        self.rest = rest
        self.query = query
    }
}
