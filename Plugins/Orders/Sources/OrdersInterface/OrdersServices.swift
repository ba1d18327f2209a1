public import PluginCore

/// The services of the orders plugin.
public enum OrdersServices {
    /// A closure that returns the sum of all orders that are not canceled, in cents.
    public static let spending = ServiceContract<@Sendable () async throws -> Int>("Spending")
}

extension Event where Payload == Int {
    /// An order has been placed; the payload is its number.
    public static let orderPlaced = Event("Orders.placed")
}
