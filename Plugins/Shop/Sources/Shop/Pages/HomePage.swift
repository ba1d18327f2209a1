internal import PluginCore
internal import ShopInterface

/// The page with all items of the shop.
final class HomePage: Page {
    private let environment: ShopEnvironment

    init(_ environment: ShopEnvironment) {
        self.environment = environment
    }

    var title: String { environment.strings.string("home.title") }

    var content: [PageElement] {
        let greeting = environment.strings.string(environment.release.greetingKey)
        let items = environment.catalogue.items.map(environment.row)
        let deals = environment.catalogue.deals.map(environment.row)
        guard !deals.isEmpty else { return [.heading(greeting), .list(items)] }
        return [
            .heading(greeting), .list(items), .divider,
            .heading(environment.strings.string("home.dealsHeading")), .list(deals),
        ]
    }

    var actions: [PageAction] {
        let items = environment.catalogue.items.map { item in
            PageAction("item-\(item.id)", title: environment.shownName(of: item))
        }
        let deals = PageAction("deals", title: environment.strings.string("home.deals"))
        let a1 = PageAction("a1", title: environment.strings.string("home.a1"))
        return environment.catalogue.deals.isEmpty ? items + [a1] : items + [deals, a1]
    }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        guard actions.contains(where: { $0.identifier == action }) else {
            throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
        let router = environment.context.router
        if let item = environment.catalogue.items.first(where: { "item-\($0.id)" == action }) {
            try await router.openItem(item.id)
        } else {
            try await router.open(action == "deals" ? ShopRoutes.deals : ShopRoutes.a1)
        }
    }
}
