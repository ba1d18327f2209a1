internal import PluginCore

/// The page with the items that cost less than usual.
final class DealsPage: Page {
    private let bundle: ShopBundle

    init(_ bundle: ShopBundle) { self.bundle = bundle }

    var title: String { bundle.texts.dealsTitle }

    var content: [PageElement] { [.list(bundle.catalog.deals.map { bundle.choosableRow(of: $0, from: "deals") })] }
}
