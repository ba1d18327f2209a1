public import PluginCore

/// The addresses of the shop plugin, which has no target for actions.
public enum ShopRoutes {
    /// The home page.
    public static let home = RouteContract<NoValue, NoValue>("shop", .page)
    /// The page with deals, which the first release does not have.
    public static let deals = RouteContract<NoValue, NoValue>("shop/deals", .page)
    /// The page that opens another plugin's profile page.
    public static let a1 = RouteContract<NoValue, NoValue>("shop/a1", .page)
    /// The page of an item.
    public static let item = RouteContract<ItemLink, NoValue>("shop/item/:id", .page)
    /// The price of an item by its number, in cents.
    public static let price = RouteContract<Int, Int>("shop/price/:id", .object)
}
