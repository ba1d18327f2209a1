/// Services by the name of the protocol that they keep, whoever provides them.
///
/// A service is a standard-library or Core value, most often an ``ActionTarget`` or a closure: a protocol that an Interface
/// target declares exists once in every caller, so no instance of it could cross. Interface targets put types around it:
///
/// ```swift
/// extension ServiceRegistry {
///     public func greeter() async throws -> @Sendable (String) async -> String {
///         try await service("Greeting")
///     }
/// }
/// ```
public protocol ServiceRegistry: Sendable {
    /// Provides a service, under the lease of whose registry this is: when its bundle goes, the service goes.
    ///
    /// - Parameters:
    ///   - name: the protocol's name; one that the manifest declares is found before its bundle is loaded.
    ///   - policy: how long an instance lives.
    ///   - make: makes an instance.
    /// - Throws: ``AtriumError`` with code `serviceConflict` or `bundleUnavailable`.
    func provide(
        _ name: String, policy: ServicePolicy, make: @escaping @Sendable () async throws -> any Sendable
    ) async throws

    /// An instance of a service; its bundle is loaded, and when only the catalog has it, installed, before.
    ///
    /// - Throws: ``AtriumError`` with code `serviceUnknown` (nearest names included) or `bundleUnavailable`, and what making
    ///   it throws.
    func service(named name: String) async throws -> any Sendable
}

/// How long an instance of a service lives.
@frozen
public enum ServicePolicy: String, Hashable, Sendable, CaseIterable {
    /// Everybody who asks gets one of his own.
    case perCall
    /// There is one, made for the first who asks, that lives as long as its bundle's lease.
    case perBundle
}

extension ServiceRegistry {
    /// An instance of a service as an `S`.
    ///
    /// - Throws: as ``service(named:)``, and `resultType` when the service is no `S`.
    public func service<S>(_ name: String, as type: S.Type = S.self) async throws -> S {
        let service = try await service(named: name)
        guard let typed = service as? S else {
            throw AtriumError(.resultType, name, detail: "\(S.self) is needed, not \(Swift.type(of: service))")
        }
        return typed
    }
}
