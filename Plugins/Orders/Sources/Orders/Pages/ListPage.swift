internal import OrdersInterface
internal import PluginCore

/// The page with all orders, newest first. It changes by itself when an order is placed.
final class ListPage: Page {
    private let bundle: OrdersBundle
    private var observation: EventObservation?

    init(_ bundle: OrdersBundle) {
        self.bundle = bundle
        do {
            observation = try bundle.context.events.observe(.orderPlaced) { [weak self] _ in self?.invalidate() }
        } catch {
            bundle.context.logger.error("new orders are not noticed: \(error)")
        }
    }

    func didClose() { observation?.cancel() }

    var title: String { bundle.strings.string("list.title") }

    var content: [PageElement] {
        guard let orders else { return [.text(bundle.strings.string("list.unreadable"))] }
        guard !orders.isEmpty else { return [.text(bundle.strings.string("list.empty"))] }
        return [
            .list(
                orders.map { order in
                    PageRow(
                        "\(order.number) · \(order.item)", detail: bundle.shownSummary(of: order),
                        opens: bundle.context.address(for: OrdersRoutes.order, order.number))
                }
            )
        ]
    }

    var actions: [PageAction] {
        PageAction("help", title: bundle.strings.string("list.help")) { _ in
            try await bundle.context.open(OrdersRoutes.help)
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
