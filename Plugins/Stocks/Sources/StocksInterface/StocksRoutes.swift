public import PluginCore

/// The addresses of the stocks plugin.
public enum StocksRoutes {
    /// The watch list.
    public static let list = PageRoute<NoValue>("stocks", name: "list")
}
