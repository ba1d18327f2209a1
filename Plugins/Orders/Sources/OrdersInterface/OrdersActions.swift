public import PluginCore

/// The actions of the orders plugin.
public enum OrdersActions {
    /// Places an order and returns its number, which is never reused. Throws `orderInvalid` for an empty item or a negative price.
    public static let place = ActionContract<OrderForm, Int>("place", on: "Orders")
    /// Returns the number of orders that are not canceled.
    public static let count = ActionContract<NoValue, Int>("count", on: "Orders")
}

/// The content of a new order.
public struct OrderForm: Codable, Hashable, Sendable {
    /// The name of the item as the user reads it, which must not be empty.
    public var item: String
    /// The price in cents, which must not be negative.
    public var price: Int

    /// Creates the content of an order.
    public init(item: String, price: Int) { (self.item, self.price) = (item, price) }
}
