public import PluginCore
internal import Synchronization

/// A service registry of one plugin alone: what the plugin provides, and what the test puts there, is what it has.
public final class FakeServices: ServiceRegistry {
    private typealias Make = @Sendable () async throws -> any Sendable

    private let services = Mutex<[String: (policy: ServicePolicy, make: Make)]>([:])

    /// A registry without services.
    public init() {}

    /// The names of all services, with how long an instance lives.
    public var policies: [String: ServicePolicy] {
        services.withLock { $0.mapValues(\.policy) }
    }

    /// Keeps the service.
    ///
    /// - Throws: ``AtriumError`` with code `serviceConflict` for a name that is already there.
    public func provide(
        _ name: String, policy: ServicePolicy, make: @escaping @Sendable () async throws -> any Sendable
    ) throws {
        try services.withLock { services throws(AtriumError) in
            guard services[name] == nil else { throw AtriumError(.serviceConflict, name) }
            services[name] = (policy, make)
        }
    }

    /// A new instance, whatever the policy.
    ///
    /// - Throws: ``AtriumError`` with code `serviceUnknown`, and what making it throws.
    public func service(named name: String) async throws -> any Sendable {
        guard let make = services.withLock({ $0[name]?.make }) else {
            throw AtriumError(.serviceUnknown, name, nearest: policies.keys.sorted())
        }
        return try await make()
    }
}
