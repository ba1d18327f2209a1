public import PluginCore

/// Typed calls that open the shop plugin's addresses.
///
/// Each throws the errors of the router if the plugin is not available.
extension Routing {
    /// Shows the page of an item.
    ///
    /// - Parameters:
    ///   - id: the item's number; a number without an item throws `resourceUnknown`.
    ///   - from: the place that the user came from, which the page shows.
    public func openItem(_ id: Int, from: String? = nil) async throws {
        try await open(ShopRoutes.item, ItemLink(id: id, from: from))
    }

    /// Returns the price of an item in cents.
    ///
    /// - Parameter id: the item's number, as for ``openItem(_:from:)``.
    public func itemPrice(_ id: Int) async throws -> Int {
        try await value(of: ShopRoutes.price, id)
    }
}
