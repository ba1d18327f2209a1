internal import OrdersInterface
internal import PluginCore

/// The page with all orders, newest first.
final class ListPage: Page {
    private let bundle: OrdersBundle

    init(_ bundle: OrdersBundle) {
        self.bundle = bundle
    }

    var title: String { bundle.strings.string("list.title") }

    var content: [PageElement] {
        guard let orders else { return [.text(bundle.strings.string("list.unreadable"))] }
        guard !orders.isEmpty else { return [.text(bundle.strings.string("list.empty"))] }
        return [
            .list(
                orders.map { order in
                    PageRow("\(order.number) · \(order.item)", detail: bundle.shownSummary(of: order))
                }
            )
        ]
    }

    var actions: [PageAction] {
        (orders ?? []).map { order in
            PageAction("order-\(order.number)", title: bundle.strings.string("list.open", order.number))
        } + [PageAction("help", title: bundle.strings.string("list.help"))]
    }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        if action == "help" {
            try await bundle.context.router.open(OrdersRoutes.help)
        } else if let order = orders?.first(where: { "order-\($0.number)" == action }) {
            try await bundle.context.router.openOrder(order.number)
        } else {
            throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
    }

    /// The orders, newest first; `nil` if the database cannot be read, which the page shows and the log explains.
    private var orders: [Order]? {
        do {
            return try bundle.book.orders().reversed()
        } catch {
            bundle.context.logger.error("the orders cannot be read: \(error)")
            return nil
        }
    }
}
