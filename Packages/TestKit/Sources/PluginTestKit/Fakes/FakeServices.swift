public import PluginCore
internal import Synchronization

/// A fake service registry with only the services of one plugin and of the test.
public final class FakeServices: ServiceRegistry {
    private typealias Make = @Sendable () async throws -> any Sendable

    private let services = Mutex<[String: (policy: ServicePolicy, make: Make)]>([:])

    /// Creates a registry without services.
    public init() {}

    /// The policies of all services, by name.
    public var policies: [String: ServicePolicy] {
        services.withLock { $0.mapValues(\.policy) }
    }

    /// Records the service.
    ///
    /// - Throws: ``AtriumError`` with code `serviceConflict` for a name that already exists.
    public func provide(
        _ name: String, policy: ServicePolicy, make: @escaping @Sendable () async throws -> any Sendable
    ) throws {
        try services.withLock { services throws(AtriumError) in
            guard services[name] == nil else { throw AtriumError(.serviceConflict, name) }
            services[name] = (policy, make)
        }
    }

    /// Returns a new instance, whatever the policy.
    ///
    /// - Throws: ``AtriumError`` with code `serviceUnknown`, and the errors of creating the instance.
    public func service(named name: String) async throws -> any Sendable {
        guard let make = services.withLock({ $0[name]?.make }) else {
            throw AtriumError(.serviceUnknown, name, nearest: policies.keys.sorted())
        }
        return try await make()
    }
}
