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
            nearest: nearest(to: id).map { "app://shop/\(request.name)/\($0.id)" })
    }

    /// Returns the items sorted by the distance of their numbers.
    private func nearest(to number: Int) -> [Item] {
        items.sorted { abs(Double($0.id) - Double(number)) < abs(Double($1.id) - Double(number)) }
    }
}
