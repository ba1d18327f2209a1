internal import PluginCore
internal import ShopInterface

/// The page with the items that cost less than usual.
final class DealsPage: Page {
    private let bundle: ShopBundle

    init(_ bundle: ShopBundle) {
        self.bundle = bundle
    }

    var title: String { bundle.strings.string("deals.title") }

    var content: [PageElement] { [.list(bundle.catalog.deals.map(bundle.choosableRow))] }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        guard let item = bundle.catalog.deals.first(where: { "item-\($0.id)" == action }) else {
            throw AtriumError(
                .pageActionUnknown, action, nearest: content.flatMap(\.rows).compactMap(\.action))
        }
        try await bundle.context.router.openItem(item.id, from: "deals")
    }
}
