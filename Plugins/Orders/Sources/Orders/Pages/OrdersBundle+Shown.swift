internal import Money
internal import PluginCore

/// Texts for the values of an order.
extension OrdersBundle {
    /// Returns the price, such as `€19.99`.
    func shownPrice(of order: Order) -> String {
        Amount(minorUnits: order.price, of: .eur).formatted(for: context.resources.languages.first ?? "en")
    }

    /// Returns the price and the state.
    func shownSummary(of order: Order) -> String {
        texts.listSummary(shownPrice(of: order), shownState(of: order))
    }

    /// Returns the state, which is placed or canceled.
    func shownState(of order: Order) -> String {
        order.isCancelled ? texts.stateCanceled : texts.statePlaced
    }
}
