/// All that the shop sells, in the order of its shelves.
struct Catalogue: Sendable {
    let items: [Item]

    /// The shelves, with prices in cents that beat the usual ones.
    init(deals: [Release.Deal]) {
        let shelves = [(7, "name.notebook", 450), (42, "name.lamp", 1999), (99, "name.chair", 8900)]
        items = shelves.map { id, nameKey, price in
            Item(id: id, nameKey: nameKey, usualPrice: price, price: deals.first { $0.item == id }?.price ?? price)
        }
    }

    var deals: [Item] { items.filter(\.isDeal) }
}
