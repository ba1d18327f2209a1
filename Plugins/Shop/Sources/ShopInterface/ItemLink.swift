/// The parameters in the address of an item's page.
public struct ItemLink: Codable, Hashable, Sendable {
    /// The item's number.
    public var id: Int
    /// The place that the user came from, which the page shows; `nil` if it is unknown.
    public var from: String?

    /// Creates a link to the page of an item.
    public init(id: Int, from: String? = nil) { (self.id, self.from) = (id, from) }
}
