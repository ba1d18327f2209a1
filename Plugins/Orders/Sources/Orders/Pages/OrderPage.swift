internal import PluginCore

/// The page of an order, which can be canceled there.
final class OrderPage: Page {
    private let bundle: OrdersBundle
    private let number: Int

    init(_ bundle: OrdersBundle, number: Int) { (self.bundle, self.number) = (bundle, number) }

    var title: String { bundle.texts.orderTitle(number) }

    var content: [PageElement] {
        guard let order else { return [.text(bundle.texts.listUnreadable)] }
        return [
            .field(label: bundle.texts.orderItem, value: order.item),
            .field(label: bundle.texts.orderPrice, value: bundle.shownPrice(of: order)),
            .field(label: bundle.texts.orderState, value: bundle.shownState(of: order)),
        ]
    }

    var actions: [PageAction] {
        if order?.isCancelled == false {
            PageAction("cancel", title: bundle.texts.orderCancel) { navigator in
                try bundle.book.cancel(number)
                navigator.show(notice: bundle.texts.orderCanceled(number))
            }
        }
    }

    /// The order; `nil` if the database cannot be read, which the page shows and the log explains.
    private var order: Order? {
        do {
            return try bundle.book.order(number)
        } catch {
            bundle.context.logger.error("order \(number) cannot be read: \(error)")
            return nil
        }
    }
}
