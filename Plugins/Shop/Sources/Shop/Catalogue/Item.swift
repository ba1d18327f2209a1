/// Something the shop sells.
struct Item: Hashable, Sendable {
    let id: Int
    /// The key of its name.
    let nameKey: String
    /// What it costs when there is no deal, in cents.
    let usualPrice: Int
    /// What it costs now, in cents.
    let price: Int

    var isDeal: Bool { price < usualPrice }
}
