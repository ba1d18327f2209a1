public import PluginCore

/// The addresses of the shop plugin, which has no target for actions.
public enum ShopRoutes {
    /// The home page.
    public static let home = PageRoute<NoValue>("shop", name: "home")
    /// The page with deals, which the first release does not have.
    public static let deals = PageRoute<NoValue>("shop/deals", name: "deals")
    /// The page of a gift card, which opens another plugin's profile page.
    public static let gift = PageRoute<NoValue>("shop/gift", name: "gift")
    /// The page of an item.
    public static let item = PageRoute<ItemLink>("shop/item/:id", name: "item")
    /// The price of an item by its number, in cents.
    public static let price = ValueRoute<Int, Int>("shop/price/:id", name: "price")
}
