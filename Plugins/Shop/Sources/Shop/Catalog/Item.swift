/// An item that the shop sells, with its prices in cents.
struct Item: Sendable {
    let id: Int
    let name: any KeyPath<Texts, String> & Sendable
    let usualPrice: Int
    let price: Int

    var isDeal: Bool { price < usualPrice }
}
