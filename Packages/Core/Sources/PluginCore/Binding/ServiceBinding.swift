// Capitalized like the bindings of routes.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A service of a plugin: a contract, bound to the closure that creates an instance.
///
/// Inside a principal object's `services`, `Service` creates one.
public struct ServiceBinding<Bundle: AnyObject & Sendable>: Sendable {
    let name: String
    let policy: ServicePolicy
    let make: @Sendable (Bundle) async throws -> any Sendable
}

extension BundleDelegate {
    /// Binds a service.
    ///
    /// ```swift
    /// final class OrdersBundle: BundleDelegate {
    ///     let book = OrderBook()
    ///
    ///     init(context: BundleContext) {}
    ///
    ///     static var services: some ServiceSet<OrdersBundle> {
    ///         Service(OrdersServices.spending) { orders in { try orders.book.spending() } }
    ///     }
    /// }
    /// ```
    public static func Service<Value>(
        _ contract: ServiceContract<Value>, policy: ServicePolicy = .perBundle,
        _ make: @escaping @Sendable (Self) async throws -> Value
    ) -> ServiceBinding<Self> {
        ServiceBinding(name: contract.name, policy: policy) { try await make($0) }
    }
}
