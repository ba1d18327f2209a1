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

    var title: String { bundle.texts.listTitle }

    var content: [PageElement] {
        let (context, texts) = (bundle.context, bundle.texts)
        do {
            let rows = try bundle.book.orders().reversed().map { order in
                PageRow(
                    "\(order.number) · \(order.item)", detail: bundle.shownSummary(of: order),
                    opens: context.address(for: OrdersRoutes.order, order.number))
            }
            return [rows.isEmpty ? .text(texts.listEmpty) : .list(rows)]
        } catch {
            context.logger.error("the orders cannot be read: \(error)")
            return [.text(texts.listUnreadable)]
        }
    }

    var actions: [PageAction] {
        PageAction("help", title: bundle.texts.listHelp) { _ in try await bundle.context.open(OrdersRoutes.help) }
    }
}
