internal import PluginCore

/// What all pages and actions of the plugin share.
struct OrdersEnvironment: Sendable {
    let context: BundleContext
    let book: OrderBook

    /// The texts in the user's language.
    var strings: BundleResources { context.resources }

    /// The number that the address spells, of an order that is there.
    ///
    /// - Throws: ``AtriumError`` with code `resourceUnknown`, and the numbers that are there.
    func orderNumber(in request: ResourceRequest) throws -> Int {
        let text = try request.parameters.require("id", as: String.self)
        if let number = Int(text), try book.order(number) != nil { return number }
        throw AtriumError(
            .resourceUnknown, request.uri.text, detail: "there is no order \"\(text)\"",
            nearest: try book.orders().suffix(3).map { "app://orders/\($0.number)" }
        )
    }
}
