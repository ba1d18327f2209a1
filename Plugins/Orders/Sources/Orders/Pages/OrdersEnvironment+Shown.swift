internal import Money
internal import PluginCore

/// How an order's values are written for the user.
extension OrdersEnvironment {
    /// The price, such as `€19.99`.
    func shownPrice(of order: Order) -> String {
        Amount(minorUnits: order.price, of: .eur).formatted(for: strings.languages.first ?? "en")
    }

    /// Price and state.
    func shownSummary(of order: Order) -> String {
        strings.string("list.summary", shownPrice(of: order), shownState(of: order))
    }

    /// Returns whether it still stands.
    func shownState(of order: Order) -> String {
        order.isCancelled ? strings.string("state.cancelled") : strings.string("state.placed")
    }
}
