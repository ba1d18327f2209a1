internal import PluginCore

extension Catalogue {
    /// The item whose number the address spells.
    ///
    /// - Throws: ``AtriumError`` with code `resourceUnknown`, and the addresses of the items that may have been meant.
    func item(in request: ResourceRequest) throws(AtriumError) -> Item {
        let text = try request.parameters.require("id", as: String.self)
        if let item = items.first(where: { String($0.id) == text }) { return item }
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
