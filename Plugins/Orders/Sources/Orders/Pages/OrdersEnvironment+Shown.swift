internal import PluginCore

/// How an order's values are written for the user.
extension OrdersEnvironment {
    /// The price, such as `€19.99`.
    func shownPrice(of order: Order) -> String {
        let cents = order.price % 100
        return strings.string("price", "\(order.price / 100).\(cents < 10 ? "0" : "")\(cents)")
    }

    /// Whether it still stands.
    func shownState(of order: Order) -> String {
        order.isCancelled ? strings.string("state.cancelled") : strings.string("state.placed")
    }
}
