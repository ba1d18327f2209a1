internal import Money
internal import PluginCore
internal import ShopInterface

/// Texts for the values of an item.
extension ShopBundle {
    /// Returns the price, such as `€19.99`, and for a deal also the usual price.
    func shownPrice(of item: Item) -> String {
        item.isDeal ? texts.priceWas(written(item.price), written(item.usualPrice)) : written(item.price)
    }

    /// Returns the item as a row of a list.
    func row(of item: Item) -> PageRow {
        PageRow(texts[keyPath: item.name], detail: shownPrice(of: item))
    }

    /// Returns the item as a row that opens the item's page.
    func choosableRow(of item: Item, from place: String? = nil) -> PageRow {
        let address = context.address(for: ShopRoutes.item, ItemLink(id: item.id, from: place))
        return PageRow(texts[keyPath: item.name], detail: shownPrice(of: item), opens: address)
    }

    /// Formats a price in euros for the user's language.
    private func written(_ cents: Int) -> String {
        Amount(minorUnits: cents, of: .eur).formatted(for: context.resources.languages.first ?? "en")
    }
}
