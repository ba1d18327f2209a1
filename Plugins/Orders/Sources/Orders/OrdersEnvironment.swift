internal import OrdersInterface
internal import PluginCore

/// The state that all pages and actions of the plugin share.
struct OrdersEnvironment: Sendable {
    let context: BundleContext
    let book: OrderBook

    /// The texts in the user's language.
    var strings: BundleResources { context.resources }

    /// Returns the number of the existing order that an address names.
    ///
    /// - Throws: ``AtriumError`` with code `resourceUnknown`, suggesting the addresses of existing orders.
    func number(_ route: RouteContract<Int, NoValue>, in request: ResourceRequest) throws -> Int {
        if let number = try? request.input(of: route), try book.order(number) != nil { return number }
        let text = request.parameters.value("id", as: String.self) ?? ""
        throw AtriumError(
            .resourceUnknown, request.uri.text, detail: "there is no order \"\(text)\"",
            nearest: try book.orders().suffix(3).map {
                try context.router.address(for: OrdersRoutes.order, $0.number).text
            }
        )
    }
}
