internal import PluginCore

/// How an item's values are written for the user.
extension ShopEnvironment {
    /// The name in the user's language.
    func shownName(of item: Item) -> String {
        strings.string(item.nameKey)
    }

    /// The price, such as `€19.99`; for a deal the usual one too.
    func shownPrice(of item: Item) -> String {
        let price = Self.euros(item.price)
        return item.isDeal
            ? strings.string("price.was", price, Self.euros(item.usualPrice)) : strings.string("price", price)
    }

    /// A row of a list.
    func row(of item: Item) -> PageRow {
        PageRow(shownName(of: item), detail: shownPrice(of: item))
    }

    private static func euros(_ cents: Int) -> String {
        let rest = cents % 100
        return "\(cents / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}
