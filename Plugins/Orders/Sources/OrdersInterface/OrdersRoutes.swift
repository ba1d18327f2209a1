public import PluginCore

/// The addresses under which the orders plugin is reached. An order is named by its number.
public enum OrdersRoutes {
    /// The list of orders.
    public static let list = RouteContract<NoValue, NoValue>("orders", .page)
    /// The page of an order.
    public static let order = RouteContract<Int, NoValue>("orders/:id", .page)
    /// What explains them.
    public static let help = RouteContract<NoValue, NoValue>("orders/help", .page)
    /// Cancels an order; nothing happens when it is cancelled already.
    public static let cancel = RouteContract<Int, NoValue>("orders/cancel/:id", .handler)
}
