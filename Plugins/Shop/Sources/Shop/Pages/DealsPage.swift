internal import PluginCore
internal import ShopInterface

/// The page with the items that cost less than usual.
final class DealsPage: Page {
    private let environment: ShopEnvironment

    init(_ environment: ShopEnvironment) {
        self.environment = environment
    }

    var title: String { environment.strings.string("deals.title") }

    var content: [PageElement] { [.list(environment.catalogue.deals.map(environment.row))] }

    var actions: [PageAction] {
        environment.catalogue.deals.map { PageAction("item-\($0.id)", title: environment.shownName(of: $0)) }
    }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        guard let item = environment.catalogue.deals.first(where: { "item-\($0.id)" == action }) else {
            throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
        try await environment.context.router.openItem(item.id, from: "deals")
    }
}
