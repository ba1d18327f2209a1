internal import PluginCore

extension Catalog {
    /// Returns the item with a number.
    ///
    /// - Parameters:
    ///   - id: the number in the address.
    ///   - request: the request with that address.
    /// - Throws: ``AtriumError`` with code `resourceUnknown`, suggesting the addresses of the nearest items.
    func item(_ id: Int, in request: ResourceRequest) throws(AtriumError) -> Item {
        let text = request.parameters.value("id", as: String.self) ?? ""
        // An item has exactly one address, so the text `042` is not accepted for the number 42.
        if let item = items.first(where: { $0.id == id }), String(item.id) == text { return item }
        throw AtriumError(
            .resourceUnknown, request.uri.text, reason: .verbatim("the shop has no item \"\(text)\""),
            nearest: items.map(\.id).sorted { abs(Double($0) - Double(id)) < abs(Double($1) - Double(id)) }
                .map { "app://shop/\(request.name)/\($0)" })
    }
}
