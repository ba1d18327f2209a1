/// The items that the shop sells, in the order of the home page.
struct Catalog: Sendable {
    let items = [
        Item(id: 7, nameKey: "name.notebook", usualPrice: 450, price: 350),
        Item(id: 42, nameKey: "name.lamp", usualPrice: 1999, price: 1999),
        Item(id: 99, nameKey: "name.chair", usualPrice: 8900, price: 8900),
    ]

    var deals: [Item] { items.filter(\.isDeal) }
}
