public import PluginCore

/// What the shop plugin offers, as calls with types. Each throws what the router throws when the plugin can not be had.
extension Routing {
    /// Shows the page of an item.
    ///
    /// - Parameter id: the item's number; one that the shop does not have throws `resourceUnknown`.
    public func openItem(_ id: Int) async throws {
        try await open(ShopNames.itemAddress(id))
    }

    /// What an item costs, in cents.
    ///
    /// - Parameter id: as for ``openItem(_:)``.
    public func itemPrice(_ id: Int) async throws -> Int {
        try await object(for: ShopNames.priceAddress(id), as: Int.self)
    }
}
