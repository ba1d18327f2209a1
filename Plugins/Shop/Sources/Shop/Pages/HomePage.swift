internal import PluginCore
internal import ShopInterface

/// The page with all items of the shop.
final class HomePage: Page {
    private let bundle: ShopBundle

    init(_ bundle: ShopBundle) { self.bundle = bundle }

    var title: String { bundle.texts.homeTitle }

    var content: [PageElement] {
        let (texts, catalog) = (bundle.texts, bundle.catalog)
        let items = PageElement.list(catalog.items.map { bundle.choosableRow(of: $0) })
        guard !catalog.deals.isEmpty else { return [.heading(texts.homeGreeting), items] }
        let deals = PageElement.list(catalog.deals.map(bundle.row))
        return [.heading(texts.homeGreeting), items, .divider, .heading(texts.homeDealsHeading), deals]
    }

    var actions: [PageAction] {
        let (texts, context) = (bundle.texts, bundle.context)
        if !bundle.catalog.deals.isEmpty {
            PageAction("deals", title: texts.homeDeals) { _ in try await context.open(ShopRoutes.deals) }
        }
        PageAction("gift", title: texts.homeGift) { _ in try await context.open(ShopRoutes.gift) }
    }
}
