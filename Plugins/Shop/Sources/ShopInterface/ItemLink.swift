/// What an address of an item's page says.
public struct ItemLink: Codable, Hashable, Sendable {
    /// The item's number.
    public var id: Int
    /// Where the user comes from, as the page shows it; `nil` when nobody says.
    public var from: String?

    /// A link to the page of an item.
    public init(id: Int, from: String? = nil) {
        self.id = id
        self.from = from
    }
}
