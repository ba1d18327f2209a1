internal import PluginCore

/// The page of an order, which can be canceled there.
final class OrderPage: Page {
    private let bundle: OrdersBundle
    private let number: Int

    init(_ bundle: OrdersBundle, number: Int) {
        self.bundle = bundle
        self.number = number
    }

    var title: String { bundle.strings.string("order.title", number) }

    var content: [PageElement] {
        guard let order else { return [.text(bundle.strings.string("list.unreadable"))] }
        return [
            .field(label: bundle.strings.string("order.item"), value: order.item),
            .field(label: bundle.strings.string("order.price"), value: bundle.shownPrice(of: order)),
            .field(label: bundle.strings.string("order.state"), value: bundle.shownState(of: order)),
        ]
    }

    var actions: [PageAction] {
        if order?.isCancelled == false {
            PageAction("cancel", title: bundle.strings.string("order.cancel")) { navigator in
                try bundle.book.cancel(number)
                navigator.show(notice: bundle.strings.string("order.canceled", number))
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
