internal import PluginCore

/// The page of an order, which can be canceled there.
final class OrderPage: Page {
    private let environment: OrdersEnvironment
    private let number: Int

    init(_ environment: OrdersEnvironment, number: Int) {
        self.environment = environment
        self.number = number
    }

    var title: String { environment.strings.string("order.title", number) }

    var content: [PageElement] {
        guard let order else { return [.text(environment.strings.string("list.unreadable"))] }
        return [
            .field(label: environment.strings.string("order.item"), value: order.item),
            .field(label: environment.strings.string("order.price"), value: environment.shownPrice(of: order)),
            .field(label: environment.strings.string("order.state"), value: environment.shownState(of: order)),
        ]
    }

    var actions: [PageAction] {
        guard let order, !order.isCancelled else { return [] }
        return [PageAction("cancel", title: environment.strings.string("order.cancel"))]
    }

    func perform(_ action: String, input: [String: String], on navigator: any Navigator) async throws {
        guard actions.contains(where: { $0.identifier == action }) else {
            throw AtriumError(.pageActionUnknown, action, nearest: actions.map(\.identifier))
        }
        try environment.book.cancel(number)
        navigator.show(notice: environment.strings.string("order.cancelled", number))
    }

    /// The order; `nil` if the database cannot be read, which the page shows and the log explains.
    private var order: Order? {
        do {
            return try environment.book.order(number)
        } catch {
            environment.context.logger.error("order \(number) cannot be read: \(error)")
            return nil
        }
    }
}
