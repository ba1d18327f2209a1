/// An order of one item.
struct Order: Hashable, Sendable {
    let number: Int
    /// The item's name in the language in which the user bought it.
    let item: String
    /// The price in cents.
    let price: Int
    let isCancelled: Bool
}
