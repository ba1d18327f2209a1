public import PluginCore

/// What the shop plugin offers, as calls with types. Each throws what the router throws when the plugin cannot be had.
extension Routing {
    /// Shows the page of an item.
    ///
    /// - Parameters:
    ///   - id: the item's number; one that the shop does not have throws `resourceUnknown`.
    ///   - from: where the user comes from, as the page shows it.
    public func openItem(_ id: Int, from: String? = nil) async throws {
        try await open(ShopRoutes.item, ItemLink(id: id, from: from))
    }

    /// What an item costs, in cents.
    ///
    /// - Parameter id: as for ``openItem(_:from:)``.
    public func itemPrice(_ id: Int) async throws -> Int {
        try await value(of: ShopRoutes.price, id)
    }
}
