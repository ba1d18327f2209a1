internal import AccountInterface
internal import OrdersInterface
internal import PluginCore

/// Returns the plugin's description; this is the only symbol that the host looks up.
@c(plugin_entry_v3)
public func pluginEntry() -> UnsafeRawPointer { PluginEntry.describe(OrdersBundle.self) }

/// The orders plugin, which stores orders in its own database.
final class OrdersBundle: BundleDelegate {
    let context: BundleContext
    let book: OrderBook

    init(context: BundleContext) throws {
        self.context = context
        book = try OrderBook(context: context)
    }

    static var routes: some RouteSet<OrdersBundle> {
        Route(OrdersRoutes.list) { orders in try ListPage(orders) }
            .guarded(by: AccountActions.requireSignIn)
        Route(OrdersRoutes.order) { orders, number, request in
            OrderPage(orders, number: try orders.existing(number, at: request.uri))
        }
        .guarded(by: AccountActions.requireSignIn)
        Route(OrdersRoutes.cancel) { orders, number, request in
            try orders.book.cancel(orders.existing(number, at: request.uri))
        }
    }

    static var targets: some TargetSet<OrdersBundle> {
        Action(OrdersActions.place) { orders, form in
            let number = try orders.book.place(item: form.item, price: form.price)
            await orders.context.events.post(.orderPlaced, number)
            return number
        }
        Action(OrdersActions.count) { orders in try orders.book.count() }
    }

    static var services: some ServiceSet<OrdersBundle> {
        Service(OrdersServices.spending) { orders in { try orders.book.spending() } }
    }

    static var events: [EventDeclaration] { Event.orderPlaced }

    /// The texts in the user's language.
    var texts: Texts { context.texts }

    /// Returns the number of an order if it exists.
    ///
    /// - Throws: ``AtriumError`` with code `resourceUnknown`, suggesting the addresses of existing orders.
    private func existing(_ number: Int, at uri: ResourceURI) throws -> Int {
        if try book.order(number) != nil { return number }
        throw AtriumError(
            .resourceUnknown, uri.text, reason: .verbatim("there is no order \"\(number)\""),
            nearest: try book.orders().suffix(3).map {
                try context.router.address(for: OrdersRoutes.order, $0.number).text
            })
    }
}
