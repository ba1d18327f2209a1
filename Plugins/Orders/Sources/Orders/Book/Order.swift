/// Something that was bought.
struct Order: Hashable, Sendable {
    let number: Int
    /// What it is, as the user read it when buying.
    let item: String
    /// In cents.
    let price: Int
    let isCancelled: Bool
}
