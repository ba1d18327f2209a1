public import PluginCore

/// The addresses of the shop plugin, which has no target for actions.
public enum ShopRoutes {
    /// The home page.
    public static let home = RouteContract<NoValue, NoValue>("shop", .page, name: "home")
    /// The page with deals, which the first release does not have.
    public static let deals = RouteContract<NoValue, NoValue>("shop/deals", .page, name: "deals")
    /// The page of a gift card, which opens another plugin's profile page.
    public static let gift = RouteContract<NoValue, NoValue>("shop/gift", .page, name: "gift")
    /// The page of an item.
    public static let item = RouteContract<ItemLink, NoValue>("shop/item/:id", .page, name: "item")
    /// The price of an item by its number, in cents.
    public static let price = RouteContract<Int, Int>("shop/price/:id", .object, name: "price")
}
