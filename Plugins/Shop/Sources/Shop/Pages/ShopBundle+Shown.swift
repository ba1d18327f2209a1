internal import Money
internal import PluginCore
internal import ShopInterface

/// Texts for the values of an item.
extension ShopBundle {
    /// Returns the name in the user's language.
    func shownName(of item: Item) -> String {
        strings.string(item.nameKey)
    }

    /// Returns the price, such as `€19.99`, and for a deal also the usual price.
    func shownPrice(of item: Item) -> String {
        let price = written(item.price)
        return item.isDeal ? strings.string("price.was", price, written(item.usualPrice)) : price
    }

    /// Returns the item as a row of a list.
    func row(of item: Item) -> PageRow {
        PageRow(shownName(of: item), detail: shownPrice(of: item))
    }

    /// Returns the item as a row that opens the item's page.
    func choosableRow(of item: Item, from place: String? = nil) -> PageRow {
        let address = context.address(for: ShopRoutes.item, ItemLink(id: item.id, from: place))
        return PageRow(shownName(of: item), detail: shownPrice(of: item), opens: address)
    }

    /// Formats a price in euros for the user's language.
    private func written(_ cents: Int) -> String {
        Amount(minorUnits: cents, of: .eur).formatted(for: strings.languages.first ?? "en")
    }
}
