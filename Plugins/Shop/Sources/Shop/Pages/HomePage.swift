internal import PluginCore
internal import ShopInterface

/// The page with all items of the shop.
final class HomePage: Page {
    private let bundle: ShopBundle

    init(_ bundle: ShopBundle) { self.bundle = bundle }

    var title: String { bundle.texts.homeTitle }

    var content: [PageElement] {
        let greeting = bundle.strings.string("home.greeting")
        let items = bundle.catalog.items.map { bundle.choosableRow(of: $0) }
        let deals = bundle.catalog.deals.map(bundle.row)
        guard !deals.isEmpty else { return [.heading(greeting), .list(items)] }
        return [.heading(greeting), .list(items), .divider, .heading(bundle.texts.homeDealsHeading), .list(deals)]
    }

    var actions: [PageAction] {
        let (texts, context) = (bundle.texts, bundle.context)
        if !bundle.catalog.deals.isEmpty {
            PageAction("deals", title: texts.homeDeals) { _ in try await context.open(ShopRoutes.deals) }
        }
        PageAction("gift", title: texts.homeGift) { _ in try await context.open(ShopRoutes.gift) }
    }
}
