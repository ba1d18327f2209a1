/// The items that the shop sells, in the order of the home page.
struct Catalog: Sendable {
    let items: [Item]

    /// Creates the catalog with deals, whose prices in cents replace the usual ones.
    init(deals: [Release.Deal]) {
        func item(_ id: Int, _ nameKey: String, _ price: Int) -> Item {
            Item(id: id, nameKey: nameKey, usualPrice: price, price: deals.first { $0.item == id }?.price ?? price)
        }
        items = [item(7, "name.notebook", 450), item(42, "name.lamp", 1999), item(99, "name.chair", 8900)]
    }

    var deals: [Item] { items.filter(\.isDeal) }
}
