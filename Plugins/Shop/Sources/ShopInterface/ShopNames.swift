/// The names under which the shop plugin is reached. It has no target: all it offers are addresses.
public enum ShopNames {
    /// The address of the home page.
    public static let homeAddress = "app://shop"

    /// The address of an item's page.
    ///
    /// - Parameter id: the item's number.
    public static func itemAddress(_ id: Int) -> String { "app://shop/item/\(id)" }

    /// The address of an item's price, an object: an `Int`, in cents.
    ///
    /// - Parameter id: the item's number.
    public static func priceAddress(_ id: Int) -> String { "app://shop/price/\(id)" }
}
