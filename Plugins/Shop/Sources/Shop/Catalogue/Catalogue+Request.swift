internal import PluginCore

extension Catalogue {
    /// Returns the item with a number.
    ///
    /// - Parameters:
    ///   - id: the number in the address; `nil` if the text is not a number.
    ///   - request: the request with that address.
    /// - Throws: ``AtriumError`` with code `resourceUnknown`, suggesting the addresses of the nearest items.
    func item(_ id: Int?, in request: ResourceRequest) throws(AtriumError) -> Item {
        let text = request.parameters.value("id", as: String.self) ?? ""
        // An item has exactly one address, so the text `042` is not accepted for the number 42.
        if let item = items.first(where: { $0.id == id }), String(item.id) == text { return item }
        throw AtriumError(
            .resourceUnknown, request.uri.text, detail: "the shop has no item \"\(text)\"",
            nearest: nearest(to: text).map { "app://shop/\(request.name)/\($0.id)" }
        )
    }

    /// Returns the items sorted by the distance of their numbers; if the text is not a number, in their usual order.
    private func nearest(to text: String) -> [Item] {
        guard let number = Double(text) else { return items }
        return items.sorted { abs(Double($0.id) - number) < abs(Double($1.id) - number) }
    }
}
