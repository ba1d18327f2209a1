internal import OrdersInterface
internal import PluginCore

/// The page with all orders, newest first. It changes by itself when an order is placed.
final class ListPage: Page {
    private let bundle: OrdersBundle
    private var observation: EventObservation?

    init(_ bundle: OrdersBundle) throws {
        self.bundle = bundle
        observation = try bundle.context.events.observe(.orderPlaced) { [weak self] _ in self?.invalidate() }
    }

    func didClose() { observation?.cancel() }

    var title: String { bundle.texts.listTitle }

    var content: [PageElement] {
        let (context, texts) = (bundle.context, bundle.texts)
        let list = context.list(empty: texts.listEmpty, unreadable: texts.listUnreadable) {
            try bundle.book.orders().reversed().map { order in
                PageRow(
                    "\(order.number) · \(order.item)", detail: bundle.shownSummary(of: order),
                    opens: context.address(for: OrdersRoutes.order, order.number))
            }
        }
        return [list]
    }

    var actions: [PageAction] {
        PageAction("help", title: bundle.texts.listHelp) { _ in try await bundle.context.open(OrdersRoutes.help) }
    }
}
