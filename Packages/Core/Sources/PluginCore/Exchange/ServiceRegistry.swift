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

/// A registry of services by name, whichever bundle provides them.
///
/// A service is a standard-library or Core value, most often an ``ActionTarget`` or a closure. It cannot be an instance of a protocol from
/// an Interface target, because each caller has its own copy of that protocol. Interface targets declare the type of an instance as a
/// ``ServiceContract``.
public protocol ServiceRegistry: Sendable {
    /// Provides a service, which is removed when this registry's bundle is unloaded.
    ///
    /// - Parameters:
    ///   - name: The name of the service. One that the manifest declares is found before its bundle is loaded.
    ///   - policy: The lifetime of an instance.
    ///   - make: Creates an instance.
    /// - Throws: ``AtriumError`` with code `serviceConflict` or `bundleUnavailable`.
    func provide(
        _ name: String, policy: ServicePolicy, make: @escaping @Sendable () async throws -> any Sendable
    ) async throws

    /// Returns an instance of a service. Its bundle is first loaded, and also installed if only the catalog has it.
    ///
    /// - Throws: ``AtriumError`` with code `serviceUnknown` (with suggestions) or `bundleUnavailable`, and the errors of creating the
    ///   instance.
    func service(named name: String) async throws -> any Sendable
}

/// The lifetime of a service instance.
@frozen
public enum ServicePolicy: String, Hashable, Sendable, CaseIterable {
    /// Each caller gets a new instance.
    case perCall
    /// All callers share one instance, created on first use and released when its bundle is unloaded.
    case perBundle
}

extension ServiceRegistry {
    /// Returns an instance of a service as a given type.
    ///
    /// - Throws: The errors of ``service(named:)``, and `resultType` for an instance of another type.
    public func service<S>(_ name: String, as type: S.Type = S.self) async throws -> S {
        let service = try await service(named: name)
        guard let typed = service as? S else {
            throw AtriumError(.resultType, name, reason: .type(S.self, found: Swift.type(of: service)))
        }
        return typed
    }
}
