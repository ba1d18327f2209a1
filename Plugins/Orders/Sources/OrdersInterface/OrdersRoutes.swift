public import PluginCore

/// The addresses of the orders plugin, in which an order is identified by its number.
public enum OrdersRoutes {
    /// The list of orders.
    public static let list = RouteContract<NoValue, NoValue>("orders", .page, name: "list")
    /// The page of an order.
    public static let order = RouteContract<Int, NoValue>("orders/:id", .page, name: "order")
    /// The help page.
    public static let help = RouteContract<NoValue, NoValue>("orders/help", .page, name: "help")
    /// Cancels an order; has no effect if it is already canceled.
    public static let cancel = RouteContract<Int, NoValue>("orders/cancel/:id", .handler, name: "cancel")
}
