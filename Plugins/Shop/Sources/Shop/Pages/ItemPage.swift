internal import OrdersInterface
internal import PluginCore

/// The page of an item, which places an order with another plugin.
final class ItemPage: Page {
    private let bundle: ShopBundle
    private let item: Item
    private let from: String?
    private var lastOrder: Int?

    /// Creates the page.
    ///
    /// - Parameter from: the place that the user came from, as given in the address.
    init(_ bundle: ShopBundle, item: Item, from: String?) {
        self.bundle = bundle
        self.item = item
        self.from = from
    }

    var title: String { bundle.shownName(of: item) }

    var content: [PageElement] {
        let strings = bundle.strings
        var content: [PageElement] = [
            .field(label: strings.string("item.name"), value: bundle.shownName(of: item)),
            .field(label: strings.string("item.price"), value: bundle.shownPrice(of: item)),
        ]
        if let from { content.append(.field(label: strings.string("item.from"), value: from)) }
        if let lastOrder {
            content.append(.field(label: strings.string("item.lastOrder"), value: String(lastOrder)))
        }
        return content
    }

    var actions: [PageAction] {
        PageAction("buy", title: bundle.strings.string("item.buy")) { navigator in
            let name = bundle.shownName(of: item)
            let order = try await bundle.context.call(OrdersActions.place, OrderForm(item: name, price: item.price))
            lastOrder = order
            navigator.show(notice: bundle.strings.string("item.bought", name, order))
        }
        PageAction("orders", title: bundle.strings.string("item.orders")) { _ in
            try await bundle.context.open(OrdersRoutes.list)
        }
    }
}
