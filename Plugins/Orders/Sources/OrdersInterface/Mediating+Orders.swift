public import PluginCore

/// Typed calls of the orders plugin's actions.
///
/// Each throws the errors of ``PluginCore/Mediating/perform(_:on:_:)`` if the plugin is not available.
extension Mediating {
    /// Places an order.
    ///
    /// - Parameters:
    ///   - item: the name of the item as the user reads it, which must not be empty.
    ///   - price: the price in cents, which must not be negative.
    /// - Returns: the order's number, which is never reused.
    /// - Throws: ``PluginCore/AtriumError`` with code `orderInvalid`.
    public func placeOrder(item: String, price: Int) async throws -> Int {
        try await perform(OrdersActions.place, OrderForm(item: item, price: price))
    }

    /// Returns the number of orders that are not canceled.
    public func orderCount() async throws -> Int { try await perform(OrdersActions.count) }
}
