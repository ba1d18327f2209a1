internal import Money
internal import PluginCore

/// Texts for the values of an order.
extension OrdersBundle {
    /// Returns the price, such as `€19.99`.
    func shownPrice(of order: Order) -> String {
        Amount(minorUnits: order.price, of: .eur).formatted(for: strings.languages.first ?? "en")
    }

    /// Returns the price and the state.
    func shownSummary(of order: Order) -> String {
        strings.string("list.summary", shownPrice(of: order), shownState(of: order))
    }

    /// Returns the state, which is placed or canceled.
    func shownState(of order: Order) -> String {
        order.isCancelled ? strings.string("state.canceled") : strings.string("state.placed")
    }
}
