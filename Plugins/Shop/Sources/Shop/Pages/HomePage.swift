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
        let greeting = bundle.strings.string(bundle.release.greetingKey)
        let items = bundle.catalog.items.map(bundle.choosableRow)
        let deals = bundle.catalog.deals.map(bundle.row)
        guard !deals.isEmpty else { return [.heading(greeting), .list(items)] }
        return [
            .heading(greeting), .list(items), .divider,
            .heading(bundle.strings.string("home.dealsHeading")), .list(deals),
        ]
    }

    var actions: [PageAction] {
        let deals = PageAction("deals", title: bundle.strings.string("home.deals"))
        let gift = PageAction("gift", title: bundle.strings.string("home.gift"))
        return bundle.catalog.deals.isEmpty ? [gift] : [deals, gift]
    }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        let router = bundle.context.router
        if let item = bundle.catalog.items.first(where: { "item-\($0.id)" == action }) {
            return try await router.openItem(item.id)
        }
        guard actions.contains(where: { $0.identifier == action }) else {
            let choices = content.flatMap(\.rows).compactMap(\.action) + actions.map(\.identifier)
            throw AtriumError(.pageActionUnknown, action, nearest: choices)
        }
        try await router.open(action == "deals" ? ShopRoutes.deals : ShopRoutes.gift)
    }
}
