/// The declaration of a service that its users and its provider share: the name and the type of an instance.
///
/// ```swift
/// public enum GreetingServices {
///     public static let greeter = ServiceContract<@Sendable (String) async -> String>("Greeting")
/// }
///
/// let greet = try await context.services.service(GreetingServices.greeter)
/// ```
///
/// The type is a standard-library or Core type, most often a closure, for the reason that ``ServiceRegistry`` gives.
public struct ServiceContract<Value: Sendable>: Sendable {
    /// The name of the service.
    public let name: String

    /// Creates a contract.
    public init(_ name: String) {
        self.name = name
    }
}

extension ServiceRegistry {
    /// Returns an instance of a contract's service. Its bundle is first loaded, and also installed if only the catalog has it.
    ///
    /// - Throws: The errors of ``service(_:as:)``.
    public func service<Value>(_ contract: ServiceContract<Value>) async throws -> Value {
        try await service(contract.name, as: Value.self)
    }
}
