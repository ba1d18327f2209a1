public import PluginCore

/// The addresses of the orders plugin, in which an order is identified by its number.
public enum OrdersRoutes {
    /// The list of orders.
    public static let list = PageRoute<NoValue>("orders", name: "list")
    /// The page of an order; `resourceUnknown` for a number without one. Like the list, it throws `routeDenied` unless the user signs in.
    public static let order = PageRoute<Int>("orders/:id", name: "order")
    /// The help page.
    public static let help = PageRoute<NoValue>("orders/help", name: "help")
    /// Cancels an order; has no effect if it is already canceled.
    public static let cancel = HandlerRoute<Int, NoValue>("orders/cancel/:id", name: "cancel")
}
