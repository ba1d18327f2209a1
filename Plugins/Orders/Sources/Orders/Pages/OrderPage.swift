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
        guard let order, !order.isCancelled else { return [] }
        return [PageAction("cancel", title: bundle.strings.string("order.cancel"))]
    }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        guard actions.contains(where: { $0.identifier == action }) else {
            throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
        try bundle.book.cancel(number)
        navigator.show(notice: bundle.strings.string("order.canceled", number))
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
