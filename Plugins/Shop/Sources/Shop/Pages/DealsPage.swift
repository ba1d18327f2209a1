internal import PluginCore
internal import ShopInterface

/// The page with the items that cost less than usual.
final class DealsPage: Page {
    private let bundle: ShopBundle

    init(_ bundle: ShopBundle) {
        self.bundle = bundle
    }

    var title: String { bundle.strings.string("deals.title") }

    var content: [PageElement] { [.list(bundle.catalog.deals.map(bundle.row))] }

    var actions: [PageAction] {
        bundle.catalog.deals.map { PageAction("item-\($0.id)", title: bundle.shownName(of: $0)) }
    }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        guard let item = bundle.catalog.deals.first(where: { "item-\($0.id)" == action }) else {
            throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
        try await bundle.context.router.openItem(item.id, from: "deals")
    }
}
