public import PluginCore

/// What the orders plugin shows, as calls with types. Each throws what the router throws when the plugin cannot be had,
/// and `routeDenied` when nobody signs in.
extension Routing {
    /// Shows the list of orders.
    public func openOrders() async throws {
        try await open(OrdersRoutes.list)
    }

    /// Shows the page of an order.
    ///
    /// - Parameter number: the order's number; one that is not there throws `resourceUnknown`.
    public func openOrder(_ number: Int) async throws {
        try await open(OrdersRoutes.order, number)
    }

    /// Cancels an order; nothing happens when it is cancelled already.
    ///
    /// - Parameter number: as for ``openOrder(_:)``.
    public func cancelOrder(_ number: Int) async throws {
        _ = try await value(of: OrdersRoutes.cancel, number)
    }
}
