internal import PluginCore

#if SecondRelease
    internal import Money
#endif

/// How an item's values are written for the user.
extension ShopEnvironment {
    /// The name in the user's language.
    func shownName(of item: Item) -> String {
        strings.string(item.nameKey)
    }

    /// The price, such as `€19.99`; for a deal the usual one too.
    func shownPrice(of item: Item) -> String {
        let price = written(item.price)
        return item.isDeal ? strings.string("price.was", price, written(item.usualPrice)) : price
    }

    /// A row of a list.
    func row(of item: Item) -> PageRow {
        PageRow(shownName(of: item), detail: shownPrice(of: item))
    }

    /// Euros as the user's language writes them. The first release had no library for that.
    private func written(_ cents: Int) -> String {
        #if SecondRelease
            Amount(minorUnits: cents, of: .eur).formatted(for: strings.languages.first ?? "en")
        #else
            strings.string("price", "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100)")
        #endif
    }
}
