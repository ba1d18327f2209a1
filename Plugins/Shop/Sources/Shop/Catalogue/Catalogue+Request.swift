internal import PluginCore

extension Catalogue {
    /// The item of a number.
    ///
    /// - Parameters:
    ///   - id: what the address spells; `nil` when that is no number.
    ///   - request: the request with that address.
    /// - Throws: ``AtriumError`` with code `resourceUnknown`, and the addresses of the items that may have been meant.
    func item(_ id: Int?, in request: ResourceRequest) throws(AtriumError) -> Item {
        let text = request.parameters.value("id", as: String.self) ?? ""
        // An item has one address: `042` is a number, and not how it spells.
        if let item = items.first(where: { $0.id == id }), String(item.id) == text { return item }
        throw AtriumError(
            .resourceUnknown, request.uri.text, detail: "the shop has no item \"\(text)\"",
            nearest: nearest(to: text).map { "app://shop/\(request.name)/\($0.id)" }
        )
    }

    /// The items by how far their numbers are off; all of them, as they stand, for a text that is no number.
    private func nearest(to text: String) -> [Item] {
        guard let number = Double(text) else { return items }
        return items.sorted { abs(Double($0.id) - number) < abs(Double($1.id) - number) }
    }
}
