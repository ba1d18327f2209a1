internal import PluginCore
internal import ShopInterface

/// The page with all items of the shop.
final class HomePage: Page {
    private let bundle: ShopBundle

    init(_ bundle: ShopBundle) {
        self.bundle = bundle
    }

    var title: String { bundle.strings.string("home.title") }

    var content: [PageElement] {
        let greeting = bundle.strings.string("home.greeting")
        let items = bundle.catalog.items.map { bundle.choosableRow(of: $0) }
        let deals = bundle.catalog.deals.map(bundle.row)
        guard !deals.isEmpty else { return [.heading(greeting), .list(items)] }
        return [
            .heading(greeting), .list(items), .divider,
            .heading(bundle.strings.string("home.dealsHeading")), .list(deals),
        ]
    }

    var actions: [PageAction] {
        let (strings, context) = (bundle.strings, bundle.context)
        if !bundle.catalog.deals.isEmpty {
            PageAction("deals", title: strings.string("home.deals")) { _ in try await context.open(ShopRoutes.deals) }
        }
        PageAction("gift", title: strings.string("home.gift")) { _ in try await context.open(ShopRoutes.gift) }
    }
}
