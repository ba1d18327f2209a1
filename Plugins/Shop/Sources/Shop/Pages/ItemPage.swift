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
        (self.bundle, self.item, self.from) = (bundle, item, from)
    }

    var title: String { bundle.texts[keyPath: item.name] }

    var content: [PageElement] {
        let texts = bundle.texts
        var content: [PageElement] = [
            .field(label: texts.itemName, value: title),
            .field(label: texts.itemPrice, value: bundle.shownPrice(of: item)),
        ]
        if let from { content.append(.field(label: texts.itemFrom, value: from)) }
        if let lastOrder { content.append(.field(label: texts.itemLastOrder, value: String(lastOrder))) }
        return content
    }

    var actions: [PageAction] {
        PageAction("buy", title: bundle.texts.itemBuy) { navigator in
            let order = try await bundle.context.call(OrdersActions.place, OrderForm(item: title, price: item.price))
            lastOrder = order
            navigator.show(notice: bundle.texts.itemBought(title, order))
        }
        PageAction("orders", title: bundle.texts.itemOrders) { _ in try await bundle.context.open(OrdersRoutes.list) }
    }
}
