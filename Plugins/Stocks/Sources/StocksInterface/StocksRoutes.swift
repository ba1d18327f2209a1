public import PluginCore

/// The addresses of the stocks plugin.
public enum StocksRoutes {
    /// The watch list.
    public static let list = RouteContract<NoValue, NoValue>("stocks", .page, name: "list")
}
