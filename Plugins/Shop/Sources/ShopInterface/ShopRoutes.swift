public import PluginCore

/// The addresses under which the shop plugin is reached. It has no target: all it offers are addresses.
public enum ShopRoutes {
    /// The home page.
    public static let home = RouteContract<NoValue, NoValue>("shop", .page)
    /// What is cheaper than usual; not in every release.
    public static let deals = RouteContract<NoValue, NoValue>("shop/deals", .page)
    /// Page A-1.
    public static let a1 = RouteContract<NoValue, NoValue>("shop/a1", .page)
    /// The page of an item.
    public static let item = RouteContract<ItemLink, NoValue>("shop/item/:id", .page)
    /// The price of an item by its number, in cents.
    public static let price = RouteContract<Int, Int>("shop/price/:id", .object)
}
