internal import OrdersInterface
internal import PluginCore

/// The page of an item, which places an order with another plugin.
final class ItemPage: Page {
    private let environment: ShopEnvironment
    private let item: Item
    private let from: String?
    private var lastOrder: Int?

    /// Creates the page.
    ///
    /// - Parameter from: the place that the user came from, as given in the address.
    init(_ environment: ShopEnvironment, item: Item, from: String?) {
        self.environment = environment
        self.item = item
        self.from = from
    }

    var title: String { environment.shownName(of: item) }

    var content: [PageElement] {
        let strings = environment.strings
        var content: [PageElement] = [
            .field(label: strings.string("item.name"), value: environment.shownName(of: item)),
            .field(label: strings.string("item.price"), value: environment.shownPrice(of: item)),
        ]
        if let from { content.append(.field(label: strings.string("item.from"), value: from)) }
        if let lastOrder {
            content.append(.field(label: strings.string("item.lastOrder"), value: String(lastOrder)))
        }
        return content
    }

    var actions: [PageAction] {
        [
            PageAction("buy", title: environment.strings.string("item.buy")),
            PageAction("orders", title: environment.strings.string("item.orders")),
        ]
    }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        switch action {
        case "buy": try await buy(on: navigator)
        case "orders": try await environment.context.router.openOrders()
        default: throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
    }

    private func buy(on navigator: any Navigator) async throws {
        let name = environment.shownName(of: item)
        let order = try await environment.context.mediator.placeOrder(item: name, price: item.price)
        lastOrder = order
        navigator.show(notice: environment.strings.string("item.bought", name, order))
    }
}
