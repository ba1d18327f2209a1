public import PluginCore

/// What the orders plugin does for others, as calls with types. Each throws what
/// ``PluginCore/Mediating/perform(_:on:_:)`` throws when the plugin cannot be had.
extension Mediating {
    /// Places an order.
    ///
    /// - Parameters:
    ///   - item: what is bought, as the user reads it; not empty.
    ///   - price: in cents; not negative.
    /// - Returns: the order's number; numbers are never used again.
    /// - Throws: ``PluginCore/AtriumError`` with code `orderInvalid`.
    public func placeOrder(item: String, price: Int) async throws -> Int {
        try await perform("place", on: OrdersNames.target, ["item": item, "price": price], returning: Int.self)
    }

    /// How many orders there are, cancelled ones left out.
    public func orderCount() async throws -> Int {
        try await perform("count", on: OrdersNames.target, returning: Int.self)
    }
}
