/// The items that the shop sells, in the order of the home page.
struct Catalog: Sendable {
    let items = [
        Item(id: 7, name: \.nameNotebook, usualPrice: 450, price: 350),
        Item(id: 42, name: \.nameLamp, usualPrice: 1999, price: 1999),
        Item(id: 99, name: \.nameChair, usualPrice: 8900, price: 8900),
    ]

    var deals: [Item] { items.filter(\.isDeal) }
}
