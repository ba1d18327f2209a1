/// An item that the shop sells.
struct Item: Hashable, Sendable {
    let id: Int
    /// The key of the item's name in the string tables.
    let nameKey: String
    /// The usual price in cents.
    let usualPrice: Int
    /// The current price in cents.
    let price: Int

    var isDeal: Bool { price < usualPrice }
}
