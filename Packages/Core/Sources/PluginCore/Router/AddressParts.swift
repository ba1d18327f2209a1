/// What an address of a route is printed from: the values of the pattern's captures, and a query.
public struct AddressParts: Hashable, Sendable {
    /// The text of each capture, by name, not encoded. A name of an optional group may be left out.
    public var captures: [String: String]
    /// The segments for the pattern's `**`, not encoded.
    public var rest: [String]
    /// The query.
    public var query: URIParameters

    /// Gathers the parts.
    public init(captures: [String: String] = [:], rest: [String] = [], query: URIParameters = []) {
        self.captures = captures
        self.rest = rest
        self.query = query
    }
}
