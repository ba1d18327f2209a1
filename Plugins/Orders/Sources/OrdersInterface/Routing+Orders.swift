public import PluginCore

/// Typed calls that open the orders plugin's addresses.
///
/// Each throws the errors of the router if the plugin is not available. ``openOrders()`` and ``openOrder(_:)`` also throw `routeDenied`
/// if the user does not sign in.
extension Routing {
    /// Shows the list of orders.
    public func openOrders() async throws {
        try await open(OrdersRoutes.list)
    }

    /// Shows the page of an order.
    ///
    /// - Parameter number: the order's number; a number without an order throws `resourceUnknown`.
    public func openOrder(_ number: Int) async throws {
        try await open(OrdersRoutes.order, number)
    }

    /// Cancels an order; has no effect if it is already canceled.
    ///
    /// - Parameter number: the order's number, as for ``openOrder(_:)``.
    public func cancelOrder(_ number: Int) async throws {
        _ = try await value(of: OrdersRoutes.cancel, number)
    }
}
